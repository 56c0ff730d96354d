//! Files of applications: requests, uploads, descriptions.

use portia_proto::jobs::{ApplicationFile, UploadApplicationFileRequest};
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, PdfFile},
};
use tonic::{Status, Streaming};

use super::{filter, tables::APPLICATION_FILE_KINDS};
use crate::{
    applications::files::{FileOf, NewFile, StoredFile},
    error::Error,
};

/// The file that a request names.
pub fn file_of(application: &str, kind: i32) -> Result<FileOf, Error> {
    let mut form = Form::default();
    let application = form.take(ids::parse("applicationId", application));
    let refused = || Violation::new("kind", "This must be 'resume' or 'cover-letter'.");
    let kind = filter("kind", kind, &APPLICATION_FILE_KINDS).ok().flatten().ok_or_else(refused);
    let kind = form.take(kind);
    let (application, kind) = form.finish(application.zip(kind))?;
    Ok(FileOf { application, kind })
}

/// Reads the chunks of a file. The first message names the application, the kind and the file.
pub async fn parse_upload(mut messages: Streaming<UploadApplicationFileRequest>) -> Result<NewFile, Status> {
    let first = messages.message().await?.unwrap_or_default();
    let of = file_of(&first.application_id, first.kind)?;
    let mut bytes = first.chunk;
    while let Some(message) = messages.message().await? {
        // Checked again by `PdfFile`; here it bounds the memory.
        if bytes.len() + message.chunk.len() > PdfFile::MAX_SIZE {
            return Err(Error::from(PdfFile::too_large("file")).into());
        }
        bytes.extend_from_slice(&message.chunk);
    }
    let file = PdfFile::parse("file", &first.name, bytes).map_err(Error::from)?;
    Ok(NewFile { of, file })
}

impl From<StoredFile> for ApplicationFile {
    fn from(file: StoredFile) -> Self {
        Self { name: file.name, size: file.size, uploaded_at: Some(timestamp(file.uploaded_at)) }
    }
}
