//! Operators' links: a one-time proof for a member who has neither a trusted browser nor a recovery code.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{error::Error, token::Token};

/// How long a link is good for.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(30);

/// Keeps a link for an account, in the place of an earlier one, and notes that an operator made it. `false`, and nothing
/// written, when the account is gone.
///
/// # Errors
/// When the database is away.
pub async fn keep(
    conn: &mut PgConnection,
    member: Uuid,
    token: &Token,
    note: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = sqlx::query!(
        "with account as (
            select id
            from auth.accounts
            where id = $1
            for no key update
        ), link as (
            insert into auth.reset_links (member_id, token_hash, ends_at)
            select id, $2, $3
            from account
            on conflict (member_id) do update
            set token_hash = excluded.token_hash, ends_at = excluded.ends_at
            returning member_id
        )
        insert into auth.audit (id, member_id, event, actor, at)
        select $4, member_id, 'reset link made', 'operator', $5
        from link",
        member,
        &token.hash(),
        now + LIFETIME,
        note,
        now,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether the link is the account's, and not too old. It may be used by the time it is used: see [`use_up`].
///
/// # Errors
/// When the database is away.
pub async fn is_good(db: impl PgExecutor<'_>, member: Uuid, link: &Token, now: DateTime<Utc>) -> Result<bool, Error> {
    let good = sqlx::query_scalar!(
        "select exists (
            select from auth.reset_links
            where member_id = $1 and token_hash = $2 and ends_at > $3
        ) as \"good!\"",
        member,
        &link.hash(),
        now,
    );
    Ok(good.fetch_one(db).await?)
}

/// Uses a link up; `false` when it is not the account's, too old, or was used before.
///
/// # Errors
/// When the database is away.
pub async fn use_up(conn: &mut PgConnection, member: Uuid, link: &Token, now: DateTime<Utc>) -> Result<bool, Error> {
    let used = sqlx::query!(
        "delete from auth.reset_links
        where member_id = $1 and token_hash = $2 and ends_at > $3",
        member,
        &link.hash(),
        now,
    );
    Ok(used.execute(conn).await?.rows_affected() == 1)
}

/// Takes back the account's link, if there is one: whoever has a new password needs none.
///
/// # Errors
/// When the database is away.
pub async fn take_back(conn: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.reset_links
        where member_id = $1",
        member,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes links that are too old. Operators make few, so this is one statement.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let done = sqlx::query!(
        "delete from auth.reset_links
        where ends_at <= $1",
        now,
    );
    Ok(done.execute(db).await?.rows_affected())
}
