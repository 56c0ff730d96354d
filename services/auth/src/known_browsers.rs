//! The browsers that an account signed in on: a sign-in on another one causes a security notice.
//!
//! A browser is known by the token of the trusted browser. Unlike the trust, the knowledge survives a new password and the end
//! of a session: it permits nothing.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// A browser keeps its token for this time after a sign-in. The trust in it lasts as long.
pub const TOKEN_LIFETIME: TimeDelta = TimeDelta::days(60);
const MAX_BROWSERS_PER_ACCOUNT: i64 = 50;
/// Rows per delete statement of the cleanup.
const DELETE_BATCH: i64 = 1_000;

/// Whether the account has not signed in on the browser of this token before. False for the first sign-in of an
/// account, which has no owner to warn. Call it before the sign-in is recorded.
pub async fn is_new(
    db: &mut PgConnection,
    member: Uuid,
    token_hash: Option<&[u8]>,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let new = sqlx::query_scalar!(
        "select
            not exists (
                select from auth.known_browsers
                where browser_hash = $1 and member_id = $2 and signed_in_at > $3
            )
            and exists (
                select from auth.audit
                where member_id = $2 and event in ('registered', 'signed in')
            ) as \"new!\"",
        token_hash,
        member,
        now - TOKEN_LIFETIME,
    );
    Ok(new.fetch_one(db).await?)
}

/// Moves the rows of the previous token to the new one, and makes the browser known to the account.
pub async fn rotate(
    db: &mut PgConnection,
    previous: Option<&[u8]>,
    token_hash: &[u8],
    member: Uuid,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    if let Some(previous) = previous {
        sqlx::query!(
            "update auth.known_browsers
            set browser_hash = $2
            where browser_hash = $1",
            previous,
            token_hash,
        )
        .execute(&mut *db)
        .await?;
    }
    sqlx::query!(
        "insert into auth.known_browsers (browser_hash, member_id, signed_in_at)
        values ($1, $2, $3)
        on conflict (browser_hash, member_id) do update
        set signed_in_at = excluded.signed_in_at",
        token_hash,
        member,
        now,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "delete from auth.known_browsers
        where member_id = $2
            and browser_hash in (
                select browser_hash
                from auth.known_browsers
                where member_id = $2
                order by (browser_hash = $1) desc, signed_in_at desc, browser_hash
                offset $3
            )",
        token_hash,
        member,
        MAX_BROWSERS_PER_ACCOUNT,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the account's row of one browser: the member says that others use it.
pub async fn delete(db: &mut PgConnection, token_hash: &[u8], member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.known_browsers
        where browser_hash = $1
            and member_id = $2",
        token_hash,
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the rows of browsers that have forgotten their token.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut deleted = 0;
    loop {
        let done = sqlx::query!(
            "delete from auth.known_browsers
            where (browser_hash, member_id) in (
                select browser_hash, member_id
                from auth.known_browsers
                where signed_in_at <= $1
                limit $2
                for update skip locked
            )",
            now - TOKEN_LIFETIME,
            DELETE_BATCH,
        )
        .execute(db)
        .await?;
        deleted += done.rows_affected();
        if done.rows_affected() == 0 {
            return Ok(deleted);
        }
    }
}
