//! Idempotency keys: a key is stored in the transaction that creates its resource and is valid for 24 hours.
//!
//! A service that uses it has the table of `migrations/` in its schema: [`TABLES`]. Contains no business term.

mod sql;

use std::{sync::Arc, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use primitives::{clock::Clock, error::Violation, input::Line};
use prost::Message;
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, PgPool, migrate::Migrator};
use uuid::Uuid;

/// The migrations of the table, for the schema of each service that has keys.
pub static TABLES: Migrator = sqlx::migrate!();

/// How long a key is valid.
pub const RETENTION: TimeDelta = TimeDelta::hours(24);
/// How often expired keys are deleted, and how many in one statement.
const PURGE_INTERVAL: Duration = Duration::from_mins(10);
const PURGE_BATCH: i64 = 1_000;

/// A key chosen by the caller, with the hash of the request that has it.
#[derive(Debug)]
pub struct RequestKey {
    /// The gateway checks it by the same rule.
    key: Line<128>,
    body_hash: [u8; 32],
}

impl RequestKey {
    /// Parses the key of a message; `rest` is the message without its key.
    ///
    /// # Errors
    /// When the key is empty, too long, or not of visible ASCII.
    pub fn parse(key: Option<&str>, rest: &impl Message) -> Result<Option<Self>, Violation> {
        let hashed = |key| Ok(Self { key: parse(key)?, body_hash: hash(&[&rest.encode_to_vec()]) });
        key.map(hashed).transpose()
    }

    /// Parses the key of an upload of these parts, which comes in chunks of any size.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn of_upload(key: Option<&str>, parts: &[&[u8]]) -> Result<Option<Self>, Violation> {
        key.map(|key| Ok(Self { key: parse(key)?, body_hash: hash(parts) })).transpose()
    }
}

fn parse(key: &str) -> Result<Line<128>, Violation> {
    Line::parse_key("idempotencyKey", key)
}

/// Why a key cannot be claimed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The key was used with another body.
    #[error("the idempotency key was used with another body")]
    KeyReused,
    /// The statement failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// A key and the resource that its request creates.
#[derive(Debug)]
pub struct Claim<'a> {
    /// The caller. Keys of different members are independent.
    pub member: Uuid,
    /// The RPC. Keys of different RPCs are independent.
    pub route: &'static str,
    /// The key; without one nothing is stored.
    pub key: Option<&'a RequestKey>,
    /// The id of the resource, which the caller creates next.
    pub resource: Uuid,
}

/// SHA-256 of the parts of a request. Each part is prefixed with its length, so that different splits differ.
fn hash(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// The keys of one schema. Clones share the statements.
#[derive(Clone, Debug)]
pub struct IdempotencyKeys {
    sql: Arc<sql::Sql>,
}

impl IdempotencyKeys {
    /// The keys of `schema`, whose migrations create the table.
    #[must_use]
    pub fn new(schema: &'static str) -> Self {
        Self { sql: Arc::new(sql::Sql::new(schema)) }
    }

    /// Stores the key. Returns the resource of an earlier request with the same key and the same body.
    ///
    /// Waits for a concurrent transaction with the same key: its commit decides, or its rollback frees the key.
    ///
    /// # Errors
    /// [`Error::KeyReused`] when the earlier request had another body.
    pub async fn claim(
        &self,
        db: &mut PgConnection,
        claim: &Claim<'_>,
        now: DateTime<Utc>,
    ) -> Result<Option<Uuid>, Error> {
        let Some(RequestKey { key, body_hash }) = claim.key else { return Ok(None) };
        let claimed = sql::query(&self.sql.claim)
            .bind(claim.member)
            .bind(claim.route)
            .bind(&**key)
            .bind(body_hash.as_slice())
            .bind(claim.resource)
            .bind(now)
            .bind(now - RETENTION)
            .execute(&mut *db)
            .await?;
        if claimed.rows_affected() == 1 {
            return Ok(None);
        }
        let earlier: (Vec<u8>, Uuid) =
            sql::query_as(&self.sql.get).bind(claim.member).bind(claim.route).bind(&**key).fetch_one(db).await?;
        let (earlier_hash, resource) = earlier;
        if earlier_hash == body_hash { Ok(Some(resource)) } else { Err(Error::KeyReused) }
    }

    /// Deletes expired keys until the process stops.
    pub fn spawn_purge(&self, context: &ServiceContext, db: &PgPool) {
        let (keys, db, clock) = (self.clone(), db.clone(), context.clock.clone());
        context.tasks.spawn("idempotency keys", move |stopped| {
            let (keys, db, clock) = (keys.clone(), db.clone(), clock.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = tokio::time::sleep(PURGE_INTERVAL) => keys.purge(&db, &clock).await?,
                    }
                }
            }
        });
    }

    /// Deletes every expired key, a bounded number in one transaction.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn purge(&self, db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
        loop {
            let expired = clock.now() - RETENTION;
            let deleted = sql::query(&self.sql.purge).bind(expired).bind(PURGE_BATCH).execute(db).await?;
            if deleted.rows_affected() == 0 {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_splits_of_the_same_bytes_have_different_hashes() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"ab", b"c"]));
    }
}
