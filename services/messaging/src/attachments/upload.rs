//! Stores uploads until a message takes them.

use chrono::{DateTime, Utc};
use picture_store::Reencoded;
use primitives::input::PdfFile;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The maximum number of unused uploads of a member: those of a few messages that are being written.
const MAX_UNUSED: i64 = 16;

/// An upload to store.
pub enum Upload {
    Picture(Reencoded),
    File(PdfFile),
}

/// Stores an upload, or renews it: a repeated request has the id of the first one, which may be deleted meanwhile. Then deletes
/// the oldest unused uploads of the member beyond the maximum.
pub async fn store(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    upload: &Upload,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let (kind, name, sides, content) = match upload {
        Upload::Picture(picture) => {
            ("picture", None, Some((side(picture.width), side(picture.height))), &*picture.jpeg)
        }
        Upload::File(file) => ("file", Some(&*file.name), None, &*file.bytes),
    };
    sqlx::query!(
        "insert into messaging.attachments as a (id, member_id, kind, name, width, height, size, content, uploaded_at)
        values ($1, $2, $3, $4, $5, $6, octet_length($7::bytea), $7, $8)
        on conflict (id) do update
        set uploaded_at = excluded.uploaded_at
        where a.message_id is null",
        id,
        member,
        kind,
        name,
        sides.map(|(width, _)| width),
        sides.map(|(_, height)| height),
        content,
        now,
    )
    .execute(&mut *db)
    .await?;
    // A message that takes one of them at this moment keeps it: the condition is checked again after its lock.
    sqlx::query!(
        "delete from messaging.attachments
        where message_id is null
            and id in (
                select id
                from messaging.attachments
                where member_id = $1
                    and message_id is null
                order by uploaded_at desc, id desc
                offset $2
            )",
        member,
        MAX_UNUSED,
    )
    .execute(db)
    .await?;
    Ok(())
}
