//! Attachments: uploads, the attachments of a new message, and downloads.

use idempotency::RequestKey;
use portia_proto::messaging as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Form, PdfFile, Text},
};
use tonic::{Status, Streaming};

use crate::{
    attachments::{
        AttachedFile, AttachedPicture, Attachments, MAX_PICTURES, NewAttachments, NewPicture, read::Selection,
    },
    error::Error,
};

/// The maximum size of an uploaded picture, in bytes.
const MAX_PICTURE: usize = 8 << 20;

/// An upload with an optional idempotency key.
pub struct IdempotentUpload<T> {
    pub body: T,
    pub key: Option<RequestKey>,
}

/// Reads the chunks of a picture, and the idempotency key from the first one that has it.
pub async fn parse_picture_upload(
    mut chunks: Streaming<pb::UploadPictureRequest>,
) -> Result<IdempotentUpload<Vec<u8>>, Status> {
    let (mut body, mut raw_key) = (Vec::new(), None);
    while let Some(message) = chunks.message().await? {
        if body.len() + message.chunk.len() > MAX_PICTURE {
            let sentence = "This image is too large. Please try one of at most 8 MB.";
            return Err(Error::from(Violation::new("picture", sentence)).into());
        }
        raw_key = raw_key.or(message.idempotency_key);
        body.extend_from_slice(&message.chunk);
    }
    let key = RequestKey::of_upload(raw_key.as_deref(), &[&body]).map_err(Error::from)?;
    Ok(IdempotentUpload { body, key })
}

/// Reads the chunks of a file. The first message has its name and the idempotency key.
pub async fn parse_file_upload(
    mut messages: Streaming<pb::UploadFileRequest>,
) -> Result<IdempotentUpload<PdfFile>, Status> {
    let first = messages.message().await?.unwrap_or_default();
    let mut bytes = first.chunk;
    while let Some(message) = messages.message().await? {
        // Checked again by `PdfFile`; here it bounds the memory.
        if bytes.len() + message.chunk.len() > PdfFile::MAX_SIZE {
            return Err(Error::from(PdfFile::too_large("file")).into());
        }
        bytes.extend_from_slice(&message.chunk);
    }
    let body = PdfFile::parse("file", &first.name, bytes).map_err(Error::from)?;
    let key = first.idempotency_key.as_deref();
    let key = RequestKey::of_upload(key, &[body.name.as_bytes(), &body.bytes]).map_err(Error::from)?;
    Ok(IdempotentUpload { body, key })
}

/// Parses the attachments of a new message.
pub fn parse_new(request: &pb::SendMessageRequest) -> Result<Option<NewAttachments>, Violation> {
    match &request.file_id {
        Some(_) if !request.pictures.is_empty() => Err(Violation::new("fileId", "A message has a file or pictures.")),
        Some(id) => ids::parse("fileId", id).map(|id| Some(NewAttachments::File(id))),
        None if request.pictures.is_empty() => Ok(None),
        None => pictures(&request.pictures).map(|pictures| Some(NewAttachments::Pictures(pictures))),
    }
}

fn pictures(pictures: &[pb::NewMessagePicture]) -> Result<Vec<NewPicture>, Violation> {
    if pictures.len() > MAX_PICTURES {
        return Err(Violation::new("pictures", format!("At most {MAX_PICTURES} pictures can be added.")));
    }
    let mut parsed: Vec<NewPicture> = Vec::with_capacity(pictures.len());
    for (at, picture) in pictures.iter().enumerate() {
        let id = ids::parse(&format!("pictures[{at}].id"), &picture.picture_id)?;
        if parsed.iter().any(|other| other.id == id) {
            return Err(Violation::new("pictures", "A picture can be added once."));
        }
        let alt = Text::parse_optional(&format!("pictures[{at}].alt"), Some(&picture.alt))?;
        parsed.push(NewPicture { id, alt });
    }
    Ok(parsed)
}

/// Parses the id of a message and the selection of an attachment.
pub fn parse_selection(message_id: &str, picture: Option<i32>) -> Result<(uuid::Uuid, Selection), Error> {
    let mut form = Form::default();
    let message = form.take(super::parse_message_id(message_id));
    let selection = match picture {
        None => Ok(Selection::File),
        Some(number) => usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(1))
            .map(Selection::Picture)
            .ok_or_else(|| Violation::new("picture", "This must be the number of a picture.")),
    };
    let selection = form.take(selection);
    Ok(form.finish(message.zip(selection))?)
}

impl From<AttachedPicture> for pb::MessagePicture {
    fn from(picture: AttachedPicture) -> Self {
        Self { alt: picture.alt, width: picture.width, height: picture.height }
    }
}

impl From<AttachedFile> for pb::MessageFile {
    fn from(file: AttachedFile) -> Self {
        Self { name: file.name, size: file.size }
    }
}

impl From<&Attachments> for pb::AttachmentSummary {
    fn from(attachments: &Attachments) -> Self {
        Self {
            pictures: i32::try_from(attachments.pictures.len()).unwrap_or(i32::MAX),
            file: attachments.file.is_some(),
        }
    }
}
