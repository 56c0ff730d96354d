//! The attachments of stored and of new messages.

use portia_proto::messaging as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use crate::api::contract::messaging::{AttachmentSummary, UploadedMessageFile, UploadedMessagePicture};

/// A picture of a message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessagePicture {
    /// The URL of the JPEG, for those who see the message. In a request, after the caller accepted it.
    pub url: String,
    /// The description; empty without one.
    pub alt: String,
    /// The width in pixels.
    pub width: i32,
    /// The height in pixels.
    pub height: i32,
}

impl MessagePicture {
    /// The picture at a place of a message.
    pub fn of(message: &str, at: usize, picture: pb::MessagePicture) -> Self {
        let pb::MessagePicture { alt, width, height } = picture;
        Self { url: format!("/api/messages/{message}/pictures/{}", at + 1), alt, width, height }
    }
}

/// The PDF file of a message.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageFile {
    /// The name on the computer of the sender, with the ending `.pdf`.
    pub name: String,
    /// The size in bytes.
    pub size: i32,
    /// The URL of the download, for those who see the message. In a request, after the caller accepted it.
    pub url: String,
}

impl MessageFile {
    /// The file of a message.
    pub fn of(message: &str, file: pb::MessageFile) -> Self {
        Self { name: file.name, size: file.size, url: format!("/api/messages/{message}/file") }
    }
}

/// An uploaded picture for a message.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewMessagePicture {
    /// The id of an upload of the caller that no message uses.
    #[schema(format = Uuid)]
    pub id: String,
    /// The description, at most 300 characters; none if absent, null or blank.
    #[schema(format = "text", max_length = 300)]
    pub alt: Option<String>,
}

impl From<NewMessagePicture> for pb::NewMessagePicture {
    fn from(picture: NewMessagePicture) -> Self {
        Self { picture_id: picture.id, alt: picture.alt.unwrap_or_default() }
    }
}
