//! The attachments of messages: up to four pictures, or a PDF file.
//!
//! An upload waits for a message of the same member, which takes it in the transaction that sends the message. The
//! bytes are in rows, not in the picture store: the gateway serves that store to every caller, but only members who see
//! the message may read its attachments. The transaction that deletes a message also deletes its attachments.

pub mod cleanup;
pub mod read;
pub mod reported;
mod storage;
pub mod upload;

use chrono::TimeDelta;
use outbox::UnitOfWork;
use primitives::{error::Violation, input::Text};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of pictures of a message.
pub const MAX_PICTURES: usize = 4;
/// The maximum length of a description, in characters.
pub const MAX_ALT: usize = 300;
/// The time for which an upload may stay unused.
const RETENTION: TimeDelta = TimeDelta::days(1);

/// The column `attachments` of a message.
pub type StoredAttachments = Json<Attachments>;

/// The attachments of a message: pictures, or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachments {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<AttachedPicture>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<AttachedFile>,
}

/// A picture of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachedPicture {
    pub id: Uuid,
    /// The description; empty when there is none.
    pub alt: String,
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
}

/// The PDF file of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttachedFile {
    pub id: Uuid,
    /// The name on the computer of the sender.
    pub name: String,
    /// In bytes.
    pub size: i32,
}

/// The attachments of a new message.
pub enum NewAttachments {
    Pictures(Vec<NewPicture>),
    File(Uuid),
}

/// A picture of a new message.
pub struct NewPicture {
    /// An uploaded picture.
    pub id: Uuid,
    pub alt: Option<Text<MAX_ALT>>,
}

impl NewPicture {
    fn alt(&self) -> &str {
        self.alt.as_deref().unwrap_or_default()
    }
}

impl NewAttachments {
    /// Returns whether a sent message has these attachments. Compares their descriptions, because a client that repeats
    /// a request after days has uploaded the same files again under other ids.
    pub fn are_those_of(&self, sent: &Attachments) -> bool {
        match self {
            Self::Pictures(new) => {
                new.len() == sent.pictures.len()
                    && new.iter().zip(&sent.pictures).all(|(new, sent)| new.alt() == sent.alt)
            }
            Self::File(_) => sent.file.is_some(),
        }
    }
}

/// A taken upload.
struct Taken {
    id: Uuid,
    name: Option<String>,
    width: Option<i32>,
    height: Option<i32>,
    size: i32,
}

/// Takes unused uploads of the sender for a message, which is inserted later in the transaction.
///
/// # Errors
/// [`Error::Invalid`], the same for a missing upload as for one of another member.
pub async fn take(
    work: &mut UnitOfWork<'_>,
    new: &NewAttachments,
    sender: Uuid,
    message: Uuid,
) -> Result<Attachments, Error> {
    match new {
        NewAttachments::Pictures(pictures) => {
            let ids: Vec<Uuid> = pictures.iter().map(|picture| picture.id).collect();
            let taken = take_uploads(work, &ids, "picture", sender, message).await?;
            let describe = |new: &NewPicture| {
                let of = taken.iter().find(|taken| taken.id == new.id)?;
                Some(AttachedPicture { id: of.id, alt: new.alt().to_owned(), width: of.width?, height: of.height? })
            };
            let described: Option<Vec<_>> = pictures.iter().map(describe).collect();
            let refused = || Violation::new("pictures", "This picture cannot be used. Please choose it again.");
            Ok(Attachments { pictures: described.ok_or_else(refused)?, file: None })
        }
        NewAttachments::File(id) => {
            let taken = take_uploads(work, &[*id], "file", sender, message).await?.pop();
            let file = taken.and_then(|of| Some(AttachedFile { id: of.id, name: of.name?, size: of.size }));
            let refused = || Violation::new("fileId", "This file cannot be used. Please choose it again.");
            Ok(Attachments { pictures: Vec::new(), file: Some(file.ok_or_else(refused)?) })
        }
    }
}

async fn take_uploads(
    work: &mut UnitOfWork<'_>,
    ids: &[Uuid],
    kind: &str,
    sender: Uuid,
    message: Uuid,
) -> Result<Vec<Taken>, Error> {
    let taken = sqlx::query_as!(
        Taken,
        "with unused as (
            select id
            from messaging.attachments
            where id = any($1)
                and kind = $2
                and member_id = $3
                and message_id is null
                and uploaded_at > $5
            order by id
            for update
        )
        update messaging.attachments a
        set message_id = $4
        from unused
        where a.id = unused.id
        returning a.id, a.name, a.width, a.height, a.size",
        ids,
        kind,
        sender,
        message,
        work.now - RETENTION,
    );
    Ok(taken.fetch_all(&mut *work.db).await?)
}
