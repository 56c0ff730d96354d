//! Takes an answer's body: unpacks it, counts it, and keeps it out of memory.

use std::io::{self, ErrorKind, Seek as _, Write};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use http::header::CONTENT_ENCODING;
use reqwest::Response;
use tempfile::{SpooledTempFile, spooled_tempfile};
use tokio::sync::mpsc;

use super::Failure;

/// As much stays in memory, in bytes.
const IN_MEMORY: usize = 256 * 1024;
/// The buffered pieces. A sender that is faster than the disk waits.
const WAITING: usize = 4;

/// A body, whole, from its beginning.
pub(super) struct Kept {
    pub(super) file: SpooledTempFile,
    pub(super) bytes: u64,
}

/// Takes the whole body, at most `most` bytes as sent and as many unpacked.
pub(super) async fn keep(mut answer: Response, most: u64) -> Result<Kept, Failure> {
    let packed = is_packed(&answer)?;
    let too_large = Failure::TooLarge { most };
    if answer.content_length().is_some_and(|length| length > most) {
        return Err(too_large);
    }
    // Unpacking and writing block: they are another thread's. It ends when this one drops its end, for whatever reason.
    let (pieces, taken) = mpsc::channel(WAITING);
    let writing = tokio::task::spawn_blocking(move || write(taken, packed, most));
    let mut came = 0;
    while let Some(piece) = answer.chunk().await.map_err(|error| Failure::of(&error))? {
        came += piece.len() as u64;
        // Packed, nothing at all can be very long.
        if came > most {
            return Err(too_large);
        }
        if pieces.send(piece).await.is_err() {
            break;
        }
    }
    drop(pieces);
    writing.await.map_err(|_| Failure::Local)?.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => too_large,
        ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::WriteZero => {
            Failure::Damaged
        }
        _ => Failure::Local,
    })
}

/// Whether the body is gzip, which alone was asked for. Twice packed is not what was asked for either.
fn is_packed(answer: &Response) -> Result<bool, Failure> {
    let mut values = answer.headers().get_all(CONTENT_ENCODING).iter();
    match (values.next().map(|value| value.as_bytes().to_ascii_lowercase()).as_deref(), values.next()) {
        (None | Some(b"" | b"identity"), None) => Ok(false),
        (Some(b"gzip" | b"x-gzip"), None) => Ok(true),
        _ => Err(Failure::Encoding),
    }
}

fn write(mut pieces: mpsc::Receiver<Bytes>, packed: bool, most: u64) -> io::Result<Kept> {
    let mut counted = Counted { kept: Kept { file: spooled_tempfile(IN_MEMORY), bytes: 0 }, most };
    if packed {
        let mut unpacking = MultiGzDecoder::new(counted);
        while let Some(piece) = pieces.blocking_recv() {
            unpacking.write_all(&piece)?;
        }
        counted = unpacking.finish()?;
    } else {
        while let Some(piece) = pieces.blocking_recv() {
            counted.write_all(&piece)?;
        }
    }
    let mut kept = counted.kept;
    kept.file.rewind()?;
    Ok(kept)
}

/// A file that takes no more than so much.
struct Counted {
    kept: Kept,
    most: u64,
}

impl Write for Counted {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let bytes = self.kept.bytes + piece.len() as u64;
        if bytes > self.most {
            return Err(ErrorKind::FileTooLarge.into());
        }
        self.kept.file.write_all(piece)?;
        self.kept.bytes = bytes;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.kept.file.flush()
    }
}
