//! The attachments of messages, for a member who sees the message.

pub mod erase;

use sqlx::PgConnection;
use uuid::Uuid;

use super::{Message, messages_query};
use crate::{
    attachments::read::{Attachment, Selection},
    conversations::lines::SystemKind,
    error::Error,
};

/// Finds the attachment of a message in the member's list of the conversation. The member must have accepted the
/// request, because strangers do not send files. Attachments of another sender are hidden while that account is closed
/// or suspended.
///
/// # Errors
/// [`Error::AttachmentNotFound`], also for a message that the member may not see.
pub async fn find(
    db: &mut PgConnection,
    member: Uuid,
    message: Uuid,
    selection: Selection,
) -> Result<Attachment, Error> {
    let message = messages_query!(
        "m.id = $2
            and m.seq > p.cleared_seq
            and p.folder = 'inbox'
            and not exists (
                select from messaging.closed_members g where g.member_id = m.sender_id and g.member_id <> $1
            )",
        member,
        message
    );
    let message = message.fetch_optional(&mut *db).await?.map(Message::from);
    let attachments = message.and_then(|message| message.attachments).ok_or(Error::AttachmentNotFound)?;
    let id = match selection {
        Selection::Picture(at) => attachments.pictures.get(at).map(|picture| picture.id),
        Selection::File => attachments.file.map(|file| file.id),
    };
    let found = sqlx::query_as!(Attachment, "select id, name, size from messaging.attachments where id = $1", id);
    found.fetch_optional(db).await?.ok_or(Error::AttachmentNotFound)
}
