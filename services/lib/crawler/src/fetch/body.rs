//! Stores the body of a response: decompresses it, bounds its length, and limits the memory.

use std::io::{self, ErrorKind, Seek as _, Write};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use http::header::CONTENT_ENCODING;
use reqwest::Response;
use tempfile::{SpooledTempFile, spooled_tempfile};
use tokio::sync::mpsc;

use super::Failure;

/// Longer bodies are stored in a file, in bytes.
const IN_MEMORY: usize = 256 * 1024;
/// The buffered chunks. A sender that is faster than the disk waits.
const MAX_BUFFERED: usize = 4;

/// A complete body, at its beginning.
pub(super) struct Body {
    pub(super) file: SpooledTempFile,
    pub(super) bytes: u64,
}

/// Stores the whole body, at most `most` bytes both compressed and decompressed.
pub(super) async fn store(mut response: Response, most: u64) -> Result<Body, Failure> {
    let compressed = is_compressed(&response)?;
    let too_large = Failure::TooLarge { most };
    if response.content_length().is_some_and(|length| length > most) {
        return Err(too_large);
    }
    // Decompression and writing block, so another thread does them. It ends when this task drops the sender.
    let (chunks, received) = mpsc::channel(MAX_BUFFERED);
    let writing = tokio::task::spawn_blocking(move || write(received, compressed, most));
    let mut sent = 0;
    while let Some(chunk) = response.chunk().await.map_err(|error| Failure::of(&error))? {
        sent += chunk.len() as u64;
        // A long compressed body can decompress to nothing.
        if sent > most {
            return Err(too_large);
        }
        if chunks.send(chunk).await.is_err() {
            break;
        }
    }
    drop(chunks);
    writing.await.map_err(|_| Failure::Local)?.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => too_large,
        ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::WriteZero => {
            Failure::Damaged
        }
        _ => Failure::Local,
    })
}

/// Whether the body is compressed with gzip, the only accepted encoding.
fn is_compressed(response: &Response) -> Result<bool, Failure> {
    let mut values = response.headers().get_all(CONTENT_ENCODING).iter();
    match (values.next().map(|value| value.as_bytes().to_ascii_lowercase()).as_deref(), values.next()) {
        (None | Some(b"" | b"identity"), None) => Ok(false),
        (Some(b"gzip" | b"x-gzip"), None) => Ok(true),
        _ => Err(Failure::Encoding),
    }
}

fn write(mut chunks: mpsc::Receiver<Bytes>, compressed: bool, most: u64) -> io::Result<Body> {
    let mut limited = LimitedFile { body: Body { file: spooled_tempfile(IN_MEMORY), bytes: 0 }, most };
    if compressed {
        let mut decoder = MultiGzDecoder::new(limited);
        while let Some(chunk) = chunks.blocking_recv() {
            decoder.write_all(&chunk)?;
        }
        limited = decoder.finish()?;
    } else {
        while let Some(chunk) = chunks.blocking_recv() {
            limited.write_all(&chunk)?;
        }
    }
    let mut body = limited.body;
    body.file.rewind()?;
    Ok(body)
}

/// A file with a maximum length.
struct LimitedFile {
    body: Body,
    most: u64,
}

impl Write for LimitedFile {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        let bytes = self.body.bytes + chunk.len() as u64;
        if bytes > self.most {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.body.file.write_all(chunk)?;
        self.body.bytes = bytes;
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.body.file.flush()
    }
}
