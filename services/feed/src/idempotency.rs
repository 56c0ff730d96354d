//! Requests sent twice: a key is claimed in the transaction of what it made, and answered with it for a day.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use primitives::{clock::Clock, input::Line};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// How long a key is remembered.
const KEPT: TimeDelta = TimeDelta::hours(24);
/// How often forgotten keys are swept, and how many at a time.
const SWEEP_EVERY: Duration = Duration::from_mins(10);
const SWEPT_AT_ONCE: i64 = 1_000;

/// A key as a caller chose it.
pub type Key = Line<200>;

/// A request that may come again.
#[derive(Debug)]
pub struct Request<'a> {
    /// Who sends it.
    pub member_id: Uuid,
    /// To which RPC.
    pub route: &'static str,
    /// Under which key.
    pub key: &'a Key,
    /// SHA-256 of what it says.
    pub body_hash: [u8; 32],
}

/// The hash of a request's parts, none of which can be mistaken for part of another.
#[must_use]
pub fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Claims a key for `resource_id`, which the caller makes next. `Some` is what an earlier request made.
///
/// While the earlier one is still at work this waits for it: its row decides, or its rollback frees the key.
///
/// # Errors
/// [`Error::KeyReused`] when the earlier request said something else.
pub async fn claim(
    conn: &mut PgConnection,
    request: &Request<'_>,
    resource_id: Uuid,
    at: DateTime<Utc>,
) -> Result<Option<Uuid>, Error> {
    let claimed = sqlx::query!(
        "
        insert into feed.idempotency_keys as k (member_id, route, key, body_hash, resource_id, created_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (member_id, route, key) do update
        set body_hash = excluded.body_hash, resource_id = excluded.resource_id, created_at = excluded.created_at
        where k.created_at <= $7
        ",
        request.member_id,
        request.route,
        &**request.key,
        &request.body_hash,
        resource_id,
        at,
        at - KEPT
    )
    .execute(&mut *conn)
    .await?;
    if claimed.rows_affected() == 1 {
        return Ok(None);
    }
    let earlier = sqlx::query!(
        "select body_hash, resource_id
        from feed.idempotency_keys
        where member_id = $1
            and route = $2
            and key = $3",
        request.member_id,
        request.route,
        &**request.key
    )
    .fetch_one(conn)
    .await?;
    if earlier.body_hash == request.body_hash { Ok(Some(earlier.resource_id)) } else { Err(Error::KeyReused) }
}

/// Sweeps forgotten keys until the process stops.
pub fn sweep(context: &ServiceContext, pool: &PgPool) {
    let (pool, clock) = (pool.clone(), context.clock.clone());
    context.tasks.spawn("idempotency keys", move |stopped| {
        let (pool, clock) = (pool.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(SWEEP_EVERY) => sweep_once(&pool, &clock).await?,
                }
            }
        }
    });
}

/// Deletes every forgotten key, a bounded number in a transaction.
///
/// # Errors
/// As any statement.
pub async fn sweep_once(pool: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    loop {
        let swept = sqlx::query!(
            "
            delete from feed.idempotency_keys
            where (member_id, route, key) in (
                select member_id, route, key
                from feed.idempotency_keys
                where created_at <= $1
                order by created_at
                limit $2
                for update skip locked
            )
            ",
            clock.now() - KEPT,
            SWEPT_AT_ONCE
        )
        .execute(pool)
        .await?;
        if swept.rows_affected() == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"ab", b"c"]));
    }
}
