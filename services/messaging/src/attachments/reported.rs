//! Copies of the attachments of reported messages. Moderators can read them until 30 days after the decision on the
//! report.
//!
//! A copy counts towards the sender's space once the message is deleted: otherwise two members could store any number
//! of bytes.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    AttachedFile, AttachedPicture, Attachments,
    read::{Attachment, CHUNK, Selection},
};
use crate::error::Error;

/// The time for which a copy is kept after the last report, if no moderator decides.
const UNDECIDED_RETENTION: TimeDelta = TimeDelta::days(365);
/// The time for which a copy is kept after the decision: as long as a removed post.
const DECIDED_RETENTION: TimeDelta = TimeDelta::days(30);
/// The number of copies that one statement deletes.
const BATCH: i64 = 20;

/// Copies the attachments of a message that the reporter sees. Extends the retention of an earlier copy.
pub async fn preserve(
    work: &mut UnitOfWork<'_>,
    message: Uuid,
    Attachments { pictures, file }: &Attachments,
    reporter: Uuid,
) -> Result<(), Error> {
    let ids: Vec<Uuid> = pictures.iter().map(|one| one.id).chain(file.iter().map(|one| one.id)).collect();
    let alts: Vec<String> = pictures.iter().map(|one| one.alt.clone()).collect();
    sqlx::query!(
        "insert into messaging.reported_attachments as r
            (attachment_id, message_id, member_id, number, alt, width, height, name, size, content, kept_until)
        select
            a.id, a.message_id, a.member_id, case a.kind when 'picture' then described.number end,
            coalesce(described.alt, ''), a.width, a.height, a.name, a.size, a.content, $5
        from unnest($2::uuid[], $3::text[]) with ordinality as described (id, alt, number)
        join messaging.attachments a on a.id = described.id
        where a.message_id = $1
            and a.member_id <> $4
        order by a.id
        on conflict (attachment_id) do update
        set kept_until = excluded.kept_until",
        message,
        &ids,
        &alts,
        reporter,
        work.now + UNDECIDED_RETENTION,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Limits the retention of copies after the reports of a message were decided.
pub async fn decide(work: &mut UnitOfWork<'_>, message: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update messaging.reported_attachments
        set kept_until = $2
        where message_id = $1",
        message,
        work.now + DECIDED_RETENTION,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Lists the copied attachments of a message, for a moderator who did not send it. Empty without copies.
pub async fn list(db: &mut PgConnection, moderator: Uuid, message: Uuid) -> Result<Attachments, Error> {
    let copies = sqlx::query!(
        "select attachment_id as id, number, alt, width, height, name, size
        from messaging.reported_attachments
        where message_id = $2
            and member_id <> $1
        order by number",
        moderator,
        message,
    );
    let mut attachments = Attachments::default();
    for copy in copies.fetch_all(db).await? {
        if let Some((width, height)) = copy.width.zip(copy.height) {
            attachments.pictures.push(AttachedPicture { id: copy.id, alt: copy.alt, width, height });
        } else if let Some(name) = copy.name {
            attachments.file = Some(AttachedFile { id: copy.id, name, size: copy.size });
        }
    }
    Ok(attachments)
}

/// Finds a copied attachment of a message, for a moderator who did not send it.
///
/// # Errors
/// [`Error::AttachmentNotFound`].
pub async fn find(
    db: &mut PgConnection,
    moderator: Uuid,
    message: Uuid,
    selection: Selection,
) -> Result<Attachment, Error> {
    let number = match selection {
        Selection::Picture(at) => Some(i32::try_from(at.saturating_add(1)).map_err(|_| Error::AttachmentNotFound)?),
        Selection::File => None,
    };
    let found = sqlx::query_as!(
        Attachment,
        "select attachment_id as id, name, size
        from messaging.reported_attachments
        where message_id = $2
            and member_id <> $1
            and number is not distinct from $3",
        moderator,
        message,
        number,
    );
    found.fetch_optional(db).await?.ok_or(Error::AttachmentNotFound)
}

/// Reads at most [`CHUNK`] bytes of a copy from an offset. Returns no bytes at the end.
///
/// # Errors
/// [`Error::AttachmentNotFound`] when it was deleted meanwhile.
pub async fn read_chunk(db: &mut PgConnection, id: Uuid, offset: i32) -> Result<Vec<u8>, Error> {
    let chunk = sqlx::query_scalar!(
        r#"select substring(content from $2::integer + 1 for $3::integer) as "chunk!"
        from messaging.reported_attachments
        where attachment_id = $1"#,
        id,
        offset,
        CHUNK,
    );
    chunk.fetch_optional(db).await?.ok_or(Error::AttachmentNotFound)
}

/// Deletes a batch of the copies of an erased member. False when there are none.
pub async fn erase_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let erased = sqlx::query!(
        "delete from messaging.reported_attachments
        where attachment_id = any(array(
            select attachment_id
            from messaging.reported_attachments
            where member_id = $1
            limit $2
        ))",
        member,
        BATCH,
    );
    Ok(erased.execute(db).await?.rows_affected() > 0)
}

/// Deletes a batch of the expired copies. Returns their number.
pub async fn delete_expired_batch(db: &mut PgConnection, now: DateTime<Utc>) -> Result<u64, Error> {
    let deleted = sqlx::query!(
        "delete from messaging.reported_attachments
        where attachment_id in (
            select attachment_id
            from messaging.reported_attachments
            where kept_until <= $1
            order by kept_until
            limit $2
            for update skip locked
        )",
        now,
        BATCH,
    );
    Ok(deleted.execute(db).await?.rows_affected())
}
