//! Dead facts, for operators.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::{Outbox, sql};

/// A fact that a consumer could not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadFact {
    /// Its number within the consumer.
    pub id: i64,
    /// The service that published it.
    pub source: String,
    /// Its position in the source; 0 for a row of a snapshot.
    pub seq: i64,
    /// The full name of its message.
    pub kind: String,
    /// The key within which facts keep their order.
    pub key: String,
    /// The time at which it failed for good.
    pub at: DateTime<Utc>,
    /// The last error.
    pub error: String,
    /// Whether its consumer is to apply it again.
    pub replays: bool,
}

/// The content of a dead fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The encoded message.
    pub payload: Vec<u8>,
    /// The trace of the request that caused it.
    pub traceparent: Option<String>,
}

type Columns = (i64, String, i64, String, String, DateTime<Utc>, String, bool);

impl From<Columns> for DeadFact {
    fn from((id, source, seq, kind, key, at, error, replays): Columns) -> Self {
        Self { id, source, seq, kind, key, at, error, replays }
    }
}

impl Outbox {
    /// Lists the dead facts of this consumer, oldest first, at most `limit`.
    pub async fn list_dead_facts(&self, db: &mut PgConnection, limit: i64) -> Result<Vec<DeadFact>, sqlx::Error> {
        let rows = sql::query_as::<Columns>(&self.sql.list_dead_facts).bind(limit).fetch_all(db).await?;
        Ok(rows.into_iter().map(DeadFact::from).collect())
    }

    /// Returns one dead fact; `None` when there is none with this id.
    pub async fn get_dead_fact(
        &self,
        db: &mut PgConnection,
        id: i64,
    ) -> Result<Option<(DeadFact, Content)>, sqlx::Error> {
        type Row = (i64, String, i64, String, String, DateTime<Utc>, String, bool, Vec<u8>, Option<String>);
        let row = sql::query_as::<Row>(&self.sql.get_dead_fact).bind(id).fetch_optional(db).await?;
        Ok(row.map(|(id, source, seq, kind, key, at, error, replays, payload, traceparent)| {
            let fact = DeadFact::from((id, source, seq, kind, key, at, error, replays));
            (fact, Content { payload, traceparent })
        }))
    }

    /// Requests that the consumer applies it again, within seconds. False when there is none with this id.
    pub async fn request_replay(&self, db: &mut PgConnection, id: i64, at: DateTime<Utc>) -> Result<bool, sqlx::Error> {
        Ok(sql::query(&self.sql.request_replay).bind(id).bind(at).execute(db).await?.rows_affected() == 1)
    }

    /// Deletes it without applying it. False when there is none with this id.
    pub async fn delete_dead_fact(&self, db: &mut PgConnection, id: i64) -> Result<bool, sqlx::Error> {
        Ok(sql::query(&self.sql.delete_dead_fact).bind(id).execute(db).await?.rows_affected() == 1)
    }
}
