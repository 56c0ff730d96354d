//! Daily allowances of a member: comments of a new account on posts of members who do not know it (each notifies the
//! author), and bytes of PDF files.

use std::time::Duration;

use outbox::UnitOfWork;
use primitives::allowance;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Comments of a new account on the posts of strangers.
const COMMENTS: i64 = 10;
/// Bytes of PDF files, including deleted ones. Messages have the same limit.
const FILE_BYTES: i64 = 150 << 20;

/// Counts a comment on the post of a stranger.
///
/// # Errors
/// [`Error::CommentsOfDay`]: the caller must roll back.
pub async fn count_comment(work: &mut UnitOfWork<'_>, author: Uuid, scale: u32) -> Result<(), Error> {
    let per_day = COMMENTS * i64::from(scale);
    let taken = take(work, author, "comments", 1, per_day).await?;
    taken.map_err(|retry_after| Error::CommentsOfDay { retry_after })
}

/// Counts a file of `size` bytes.
///
/// # Errors
/// [`Error::FilesOfDay`]: the caller must roll back.
pub async fn count_file(work: &mut UnitOfWork<'_>, member: Uuid, size: i32) -> Result<(), Error> {
    let taken = take(work, member, "files", i64::from(size), FILE_BYTES).await?;
    taken.map_err(|retry_after| Error::FilesOfDay { retry_after })
}

/// Takes an amount, or returns the time after which it is free. Locks the allowance until the transaction ends.
async fn take(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    kind: &str,
    amount: i64,
    per_day: i64,
) -> Result<Result<(), Duration>, Error> {
    let full_at = sqlx::query_scalar!(
        "insert into feed.daily_allowances as known (member_id, kind, full_at)
        values ($1, $2, $3)
        on conflict (member_id, kind) do update
        set full_at = known.full_at
        returning full_at",
        member,
        kind,
        work.now,
    );
    let full_at = match allowance::take(full_at.fetch_one(&mut *work.db).await?, amount, per_day, work.now) {
        Ok(full_at) => full_at,
        Err(retry_after) => return Ok(Err(retry_after)),
    };
    sqlx::query!(
        "update feed.daily_allowances
        set full_at = $3
        where member_id = $1
            and kind = $2",
        member,
        kind,
        full_at,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(Ok(()))
}

/// Deletes the allowances of an erased member.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.daily_allowances where member_id = $1", member).execute(db).await?;
    Ok(())
}
