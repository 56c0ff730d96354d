//! Reset links: one-time proofs that an operator creates.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::{credentials::token::Token, error::Error};

/// The lifetime of a link.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(30);

/// Creates the link of an account, replacing an earlier one, with its audit row. Returns `false` and writes nothing
/// when the account does not exist.
pub async fn create(
    db: &mut PgConnection,
    member: Uuid,
    token: &Token,
    audit_id: Uuid,
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
        audit_id,
        now,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Checks a link without consuming it. Only [`consume`] is conclusive under concurrency.
pub async fn is_valid(db: impl PgExecutor<'_>, member: Uuid, link: &Token, now: DateTime<Utc>) -> Result<bool, Error> {
    let valid = sqlx::query_scalar!(
        "select exists (
            select from auth.reset_links
            where member_id = $1 and token_hash = $2 and ends_at > $3
        ) as \"good!\"",
        member,
        &link.hash(),
        now,
    );
    Ok(valid.fetch_one(db).await?)
}

/// Deletes a valid link; `false` when it is expired, used, or of another account.
pub async fn consume(db: &mut PgConnection, member: Uuid, link: &Token, now: DateTime<Utc>) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from auth.reset_links
        where member_id = $1 and token_hash = $2 and ends_at > $3",
        member,
        &link.hash(),
        now,
    );
    Ok(deleted.execute(db).await?.rows_affected() == 1)
}

/// Deletes the link of an account.
pub async fn delete(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from auth.reset_links
        where member_id = $1",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes expired links. There are few, so one statement suffices.
pub async fn delete_expired(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let done = sqlx::query!(
        "delete from auth.reset_links
        where ends_at <= $1",
        now,
    );
    Ok(done.execute(db).await?.rows_affected())
}
