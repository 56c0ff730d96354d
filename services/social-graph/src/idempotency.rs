//! Idempotency keys: a key is stored in the transaction that creates its resource and is valid for 24 hours.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use primitives::{clock::Clock, input::Line};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// How long a key is valid.
const RETENTION: TimeDelta = TimeDelta::hours(24);
/// How often expired keys are deleted, and how many in one statement.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);
const PURGE_BATCH: i64 = 1_000;

/// A key chosen by the caller.
pub type Key = Line<200>;

/// A request with an optional key.
pub struct IdempotentRequest<T> {
    pub body: T,
    pub key: Option<Key>,
}

/// SHA-256 of a request's parts. Each part is prefixed with its length, so that different splits differ.
pub fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// Stores the key for `resource`, which the caller creates next. Returns the resource of an earlier request with the same
/// key and the same body; `route` is the RPC.
///
/// Waits for a concurrent transaction with the same key: its commit decides, or its rollback frees the key.
pub async fn claim(
    db: &mut PgConnection,
    member: Uuid,
    route: &'static str,
    key: Option<&Key>,
    hash_body: impl FnOnce() -> [u8; 32],
    resource: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>, Error> {
    let Some(key) = key else { return Ok(None) };
    let body_hash = hash_body();
    let claimed = sqlx::query!(
        "insert into social_graph.idempotency_keys as k (member_id, route, key, body_hash, resource_id, created_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (member_id, route, key) do update
        set
            body_hash = excluded.body_hash,
            resource_id = excluded.resource_id,
            created_at = excluded.created_at
        where k.created_at <= $7",
        member,
        route,
        &**key,
        &body_hash,
        resource,
        now,
        now - RETENTION,
    )
    .execute(&mut *db)
    .await?;
    if claimed.rows_affected() == 1 {
        return Ok(None);
    }
    let earlier = sqlx::query!(
        "select body_hash, resource_id
        from social_graph.idempotency_keys
        where member_id = $1
            and route = $2
            and key = $3",
        member,
        route,
        &**key,
    )
    .fetch_one(db)
    .await?;
    if earlier.body_hash == body_hash { Ok(Some(earlier.resource_id)) } else { Err(Error::KeyReused) }
}

/// Deletes expired keys until the process stops.
pub fn spawn_purge(context: &ServiceContext, db: &PgPool) {
    let (db, clock) = (db.clone(), context.clock.clone());
    context.tasks.spawn("idempotency keys", move |stopped| {
        let (db, clock) = (db.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(PURGE_INTERVAL) => purge(&db, &clock).await?,
                }
            }
        }
    });
}

/// Deletes every expired key, a bounded number in one transaction.
async fn purge(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    loop {
        let deleted = sqlx::query!(
            "delete from social_graph.idempotency_keys
            where (member_id, route, key) in (
                select member_id, route, key
                from social_graph.idempotency_keys
                where created_at <= $1
                order by created_at
                limit $2
                for update skip locked
            )",
            clock.now() - RETENTION,
            PURGE_BATCH,
        )
        .execute(db)
        .await?;
        if deleted.rows_affected() == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::{Database, clock, member};

    use super::*;
    use crate::MIGRATOR;

    #[test]
    fn different_splits_of_the_same_bytes_have_different_hashes() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"ab", b"c"]));
    }

    #[tokio::test]
    async fn all_expired_keys_are_deleted_in_batches() {
        let (database, clock) = (Database::fresh("social_graph", &MIGRATOR).await, clock());
        let put = |from: i64, until: i64, at: DateTime<Utc>| {
            database.run(format!(
                "insert into social_graph.idempotency_keys
                    (member_id, route, key, body_hash, resource_id, created_at)
                select '{who}', 'CreateEvent', n::text, sha256('x'), '{who}', '{at}'
                from generate_series({from}, {until}) n",
                who = member(1),
            ))
        };
        put(1, 2_500, clock.now()).await;
        put(2_501, 2_502, clock.now() + TimeDelta::seconds(1)).await;
        clock.advance(RETENTION);
        purge(database.pool(), &clock).await.unwrap();
        let left = sqlx::query_scalar("select key from social_graph.idempotency_keys order by key");
        let left: Vec<String> = left.fetch_all(database.pool()).await.unwrap();
        assert_eq!(left, ["2501", "2502"]);
    }
}
