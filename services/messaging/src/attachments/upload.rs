//! Stores uploads until a message takes them.

use outbox::UnitOfWork;
use picture_store::Reencoded;
use primitives::input::PdfFile;
use uuid::Uuid;

use super::storage::{self, COUNTED, MAX_RECENT, MAX_STORED, MIN_CHARGE, RECENT};
use crate::error::Error;

/// The maximum number of unused uploads of a member, enough for a few unsent messages.
const MAX_UNUSED: i64 = 16;

/// An upload to store.
pub enum Upload {
    Picture(Reencoded),
    File(PdfFile),
}

/// Stores an upload, or renews it: a repeated request has the id of the first one, whose upload may have been deleted
/// meanwhile. Then deletes the oldest unused uploads of the member beyond the maximum.
///
/// # Errors
/// [`Error::AttachmentsFull`] and [`Error::AttachmentsOfDay`]: the member has stored too many bytes.
pub async fn store(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, upload: &Upload) -> Result<(), Error> {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let (kind, name, sides, content) = match upload {
        Upload::Picture(picture) => {
            ("picture", None, Some((side(picture.width), side(picture.height))), &*picture.jpeg)
        }
        Upload::File(file) => ("file", Some(&*file.name), None, &*file.bytes),
    };
    storage::lock(work.db, member).await?;
    let stored = sqlx::query!(
        "with used as (
            select
                coalesce(sum(greatest(size, $9::integer)), 0) + (
                    select coalesce(sum(greatest(r.size, $9)), 0)
                    from messaging.reported_attachments r
                    where r.member_id = $2
                        and not exists (select from messaging.attachments a where a.id = r.attachment_id)
                ) as bytes,
                sum(greatest(size, $9::integer)) filter (where uploaded_at > $10) as recent_bytes
            from messaging.attachments
            where member_id = $2
                and id <> $1
                and uploaded_at > $13
        )
        insert into messaging.attachments as a (id, member_id, kind, name, width, height, size, content, uploaded_at)
        select $1, $2, $3, $4, $5::integer, $6::integer, octet_length($7::bytea), $7, $8
        from used
        where used.bytes + greatest(octet_length($7), $9) <= $11
            and coalesce(used.recent_bytes, 0) + greatest(octet_length($7), $9) <= $12
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
        work.now,
        MIN_CHARGE,
        work.now - RECENT,
        MAX_STORED,
        MAX_RECENT,
        work.now - COUNTED,
    );
    let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
    if stored.execute(&mut *work.db).await?.rows_affected() == 0
        && let Some(refusal) = storage::refusal(work.db, id, member, size, work.now).await?
    {
        return Err(refusal);
    }
    // A message that takes one of them concurrently keeps it: Postgres checks the condition again after the lock.
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
    .execute(&mut *work.db)
    .await?;
    Ok(())
}
