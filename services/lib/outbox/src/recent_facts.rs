//! The facts that were read last: the streams of a process follow the same facts, and read them once.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use tokio::{sync::Mutex, time::Instant};
use uuid::Uuid;

use chassis::lifecycle::Standby;
use primitives::{clock::timestamp, log_position::LogPosition};

use crate::{
    position::Position,
    proto::Fact,
    publications::{OpenStream, Publications, following},
    sql::{self, BATCH, Sql},
};

/// The time for which facts are kept for the other streams. Not longer, because a restored database numbers other facts.
const KEPT_FOR: Duration = Duration::from_secs(1);

/// Reads the facts of one schema. Clones share the last facts.
#[derive(Clone, Debug)]
pub(super) struct RecentFacts {
    sql: Arc<Sql>,
    pool: PgPool,
    publications: Publications,
    /// Whether the positions of facts in the write-ahead log are read.
    standby: Standby,
    last: Arc<Mutex<Option<Batch>>>,
}

/// Facts that were read at a time.
#[derive(Debug)]
struct Batch {
    read: FactsOfHistory,
    read_at: Instant,
}

/// Facts in order.
#[derive(Clone, Debug)]
pub(super) struct FactsOfHistory {
    /// The history in which they have their numbers. Unknown when there are none.
    pub history: Option<Uuid>,
    pub facts: Arc<[Fact]>,
    /// The position in the write-ahead log that contains them; zero without a standby.
    pub log_position: LogPosition,
}

impl RecentFacts {
    pub fn new(sql: Arc<Sql>, pool: PgPool, standby: Standby) -> Self {
        Self { publications: Publications::new(sql.schema), sql, pool, standby, last: Arc::default() }
    }

    /// Notes a stream that was opened when `newest` was the newest fact.
    pub fn open(&self, newest: Position) -> OpenStream {
        self.publications.open(newest)
    }

    /// Reads facts, among them the next one after `position` unless it is pruned. `newest` is the newest known number.
    pub async fn read(&self, position: i64, newest: i64) -> Result<FactsOfHistory, sqlx::Error> {
        // A stream that catches up reads other facts than the streams that follow.
        if newest - position > BATCH {
            return self.query(position).await;
        }
        // Held during the query: the other streams wait for its facts.
        let mut last = self.last.lock().await;
        if let Some(batch) = &*last
            && batch.read_at.elapsed() < KEPT_FOR
            && following(&batch.read.facts, position).first().is_some_and(|fact| fact.seq == position + 1)
        {
            return Ok(batch.read.clone());
        }
        let read = self.query(position).await?;
        *last = Some(Batch { read: read.clone(), read_at: Instant::now() });
        Ok(read)
    }

    /// Like [`Self::read`], from the table.
    pub async fn query(&self, position: i64) -> Result<FactsOfHistory, sqlx::Error> {
        type Row = (i64, String, String, Vec<u8>, String, DateTime<Utc>, Option<Uuid>);
        let mut tx = db::begin_indexed(&self.pool).await?;
        let rows = sql::query_as::<Row>(&self.sql.read).bind(position).fetch_all(&mut *tx).await?;
        tx.rollback().await?;
        // After them: it contains their transactions.
        let log_position = self.log_position().await?;
        let history = rows.first().and_then(|row| row.6);
        let fact = |(seq, kind, key, payload, traceparent, at, _)| {
            let created_at = Some(timestamp(at));
            Fact { seq, kind, key, payload, traceparent, created_at }
        };
        let facts: Arc<[Fact]> = rows.into_iter().map(fact).collect();
        self.publications.record(history, &facts);
        Ok(FactsOfHistory { history, facts, log_position })
    }

    /// Returns the present position in the write-ahead log; zero without a standby.
    pub async fn log_position(&self) -> Result<LogPosition, sqlx::Error> {
        self.standby.written().await
    }
}

#[cfg(test)]
mod tests {
    use testkit::{Database, outbox_tables};

    use super::*;

    const FACTS: &str = "insert into feed.outbox (seq, kind, key, payload, at)
        select n, 'kind', 'key ' || n, '', now()
        from generate_series(1, 3) n";

    #[tokio::test]
    async fn streams_share_what_one_of_them_read() {
        let database = Database::fresh("feed", &outbox_tables("feed", "")).await;
        sqlx::raw_sql(FACTS).execute(database.pool()).await.unwrap();
        let one = RecentFacts::new(Arc::new(Sql::new("feed")), database.pool().clone(), Standby::default());
        let other = one.clone();
        let read = one.read(0, 3).await.unwrap().facts;
        let seqs = |facts: &[Fact]| facts.iter().map(|fact| fact.seq).collect::<Vec<_>>();
        assert_eq!(seqs(&read), [1, 2, 3]);
        assert!(Arc::ptr_eq(&read, &other.read(1, 3).await.unwrap().facts), "without a statement");
        assert_eq!(seqs(following(&read, 1)), [2, 3]);
        // Other facts are read from the table.
        assert!(other.read(3, 4).await.unwrap().facts.is_empty());
        // A stream that is far behind leaves the facts of the others.
        let read = one.read(0, 3).await.unwrap().facts;
        assert!(!Arc::ptr_eq(&read, &other.read(0, 3 + BATCH).await.unwrap().facts));
        assert!(Arc::ptr_eq(&read, &other.read(2, 3).await.unwrap().facts));
    }
}
