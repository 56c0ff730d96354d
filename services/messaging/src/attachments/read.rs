//! Reads an attachment in chunks, for a member who sees its message.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    groups::lines::SystemKind,
    messages::{Message, messages_query},
};

/// The size of a chunk, in bytes.
pub const CHUNK: i32 = 64 * 1024;

/// Which attachment of a message.
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    /// Its place among the pictures.
    Picture(usize),
    File,
}

/// An attachment to read.
pub struct Attachment {
    pub id: Uuid,
    /// Of a file.
    pub name: Option<String>,
    /// In bytes.
    pub size: i32,
}

/// The attachment of a message that the list of the conversation contains for the member. Not before the member accepts the
/// request: strangers do not send files. Not of another sender whose account is closed or suspended, until it is open again.
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

/// The bytes of an attachment from an offset on, at most [`CHUNK`]; empty at its end.
///
/// # Errors
/// [`Error::AttachmentNotFound`] when it was deleted meanwhile.
pub async fn read_chunk(db: &mut PgConnection, id: Uuid, offset: i32) -> Result<Vec<u8>, Error> {
    let chunk = sqlx::query_scalar!(
        r#"select substring(content from $2::integer + 1 for $3::integer) as "chunk!"
        from messaging.attachments
        where id = $1"#,
        id,
        offset,
        CHUNK,
    );
    chunk.fetch_optional(db).await?.ok_or(Error::AttachmentNotFound)
}
