//! The present state told as facts, for consumers that are new or come after the facts were pruned.

use std::{collections::HashSet, future::Future};

use prost::{Message, Name};
use sqlx::{PgConnection, PgPool};
use tokio::sync::mpsc;
use tonic::Status;

use crate::{
    proto::{Fact, SnapshotResponse},
    sql::{self, Sql},
};

/// What a service tells about its present state: each row as the fact that would have brought it about.
pub trait SnapshotSource: Send + Sync + 'static {
    /// Tells every row of every kind `to` wants. `conn` is in a read-only transaction which sees one moment.
    fn publish(
        &self,
        conn: &mut PgConnection,
        to: &Snapshotter,
    ) -> impl Future<Output = Result<(), SnapshotError>> + Send;
}

/// For services whose facts leave no state that others copy.
#[derive(Clone, Copy, Debug)]
pub struct EmptySnapshot;

impl SnapshotSource for EmptySnapshot {
    async fn publish(&self, _: &mut PgConnection, _: &Snapshotter) -> Result<(), SnapshotError> {
        Ok(())
    }
}

/// Why a snapshot was not told to its end.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The database failed.
    #[error("the state cannot be read")]
    Database(#[from] sqlx::Error),
    /// The consumer does not listen any more.
    #[error("the consumer left")]
    Left,
}

/// Where the rows of a snapshot go.
#[derive(Debug)]
pub struct Snapshotter {
    /// Empty for all.
    kinds: HashSet<String>,
    out: mpsc::Sender<Result<SnapshotResponse, Status>>,
}

impl Snapshotter {
    pub(super) fn new(kinds: Vec<String>, out: mpsc::Sender<Result<SnapshotResponse, Status>>) -> Self {
        Self { kinds: kinds.into_iter().collect(), out }
    }

    /// Whether facts of this kind are wanted: a query that nobody asked for is saved.
    #[must_use]
    pub fn wants<M: Name>(&self) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&M::full_name())
    }

    /// Tells one row; one that is not wanted is passed over. Waits when the consumer is slow.
    ///
    /// # Errors
    /// When the consumer left.
    pub async fn publish<M: Message + Name>(&self, key: impl ToString + Send, fact: &M) -> Result<(), SnapshotError> {
        if !self.wants::<M>() {
            return Ok(());
        }
        let (kind, key, payload) = (M::full_name(), key.to_string(), fact.encode_to_vec());
        let fact = Fact { seq: 0, kind, key, payload, traceparent: String::new() };
        self.send(SnapshotResponse { fact: Some(fact), end_seq: None }).await
    }

    async fn send(&self, response: SnapshotResponse) -> Result<(), SnapshotError> {
        self.out.send(Ok(response)).await.map_err(|_| SnapshotError::Left)
    }
}

/// Tells the whole state of one moment, then the seq from which the facts after it follow.
pub(super) async fn stream<S: SnapshotSource>(
    sql: &Sql,
    pool: &PgPool,
    state: &S,
    to: &Snapshotter,
) -> Result<(), SnapshotError> {
    let mut tx = db::begin_snapshot(pool).await?;
    // A slow consumer stretches a statement; the time-out is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    // Read in the same moment as the state: a fact numbered up to here is in the state, a later one comes by Tail, and
    // one committed but not yet numbered comes twice, which consumers bear.
    let (end,) = sql::query_as::<(i64,)>(&sql.newest).fetch_one(&mut *tx).await?;
    state.publish(&mut tx, to).await?;
    tx.commit().await?;
    to.send(SnapshotResponse { fact: None, end_seq: Some(end) }).await
}
