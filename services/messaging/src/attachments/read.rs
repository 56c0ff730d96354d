//! Reads an attachment in chunks.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The size of a chunk, in bytes.
pub const CHUNK: i32 = 64 * 1024;

/// Selects an attachment of a message.
#[derive(Clone, Copy, Debug)]
pub enum Selection {
    /// The place among the pictures.
    Picture(usize),
    File,
}

/// An attachment to read.
pub struct Attachment {
    pub id: Uuid,
    /// The name of a file; `None` for a picture.
    pub name: Option<String>,
    /// In bytes.
    pub size: i32,
}

/// Reads at most [`CHUNK`] bytes of an attachment from an offset. Returns no bytes at the end.
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
