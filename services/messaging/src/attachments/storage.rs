//! Limits the bytes that a member stores in messages within a year and within a day. Older attachments do not count,
//! because the member cannot delete messages in conversations that they cleared or left. Deleted attachments do not
//! count, unless their message was reported (see `reported`).

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The maximum within a year, in bytes: a hundred of the largest files.
pub const MAX_STORED: i64 = 500 << 20;
/// The maximum within a day, in bytes: as much as the hourly rate limit of files admits at once.
pub const MAX_RECENT: i64 = 150 << 20;
/// The minimum number of bytes that an attachment counts. It limits the rows to sum to 8,000.
pub const MIN_CHARGE: i32 = 64 << 10;
/// The time in which attachments count.
pub const COUNTED: TimeDelta = TimeDelta::days(365);
/// The time in which attachments are recent.
pub const RECENT: TimeDelta = TimeDelta::days(1);

/// Locks the uploads of a member until the transaction ends, so that each upload counts the earlier ones.
pub async fn lock(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    let key = format!("messaging.storage {member}");
    sqlx::query!("select from pg_advisory_xact_lock(hashtextextended($1, 0))", key).execute(db).await?;
    Ok(())
}

/// Returns why an upload of `size` bytes was not stored, or None when it was stored before and a message uses it.
pub async fn refusal(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    size: i64,
    now: DateTime<Utc>,
) -> Result<Option<Error>, Error> {
    let stored = sqlx::query!(
        r#"select
            exists (select from messaging.attachments where id = $1) as "exists!",
            coalesce(sum(greatest(size, $3)), 0) + (
                select coalesce(sum(greatest(r.size, $3)), 0)
                from messaging.reported_attachments r
                where r.member_id = $2
                    and not exists (select from messaging.attachments a where a.id = r.attachment_id)
            ) as "bytes!",
            min(uploaded_at) filter (where uploaded_at > $4) as oldest_recent
        from messaging.attachments
        where member_id = $2
            and uploaded_at > $5"#,
        id,
        member,
        MIN_CHARGE,
        now - RECENT,
        now - COUNTED,
    );
    let stored = stored.fetch_one(db).await?;
    Ok(if stored.exists {
        None
    } else if stored.bytes + size.max(i64::from(MIN_CHARGE)) > MAX_STORED {
        Some(Error::AttachmentsFull)
    } else {
        // At that time the oldest recent attachment no longer counts, which frees some space.
        let retry_after = stored.oldest_recent.map_or(RECENT, |oldest| oldest + RECENT - now);
        Some(Error::AttachmentsOfDay { retry_after: retry_after.to_std().unwrap_or_default() })
    })
}
