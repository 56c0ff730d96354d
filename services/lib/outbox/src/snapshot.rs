//! The state of a service as facts, for consumers that are new or later than the retention.

use std::{collections::HashSet, future::Future};

use prost::{Message, Name};
use sqlx::{PgConnection, PgPool};
use tokio::sync::mpsc;
use tonic::Status;

use crate::{
    position::{Position, format_history},
    proto::{Fact, SnapshotResponse},
    sql::{self, Sql},
};

/// The state of a service: each row as the fact that would have created it.
pub trait SnapshotSource: Send + Sync + 'static {
    /// Publishes every row of the kinds that `to` wants. `conn` is in a read-only transaction on one snapshot.
    fn publish(
        &self,
        conn: &mut PgConnection,
        to: &Snapshotter,
    ) -> impl Future<Output = Result<(), SnapshotError>> + Send;
}

/// For services without state that others copy.
#[derive(Clone, Copy, Debug)]
pub struct EmptySnapshot;

impl SnapshotSource for EmptySnapshot {
    async fn publish(&self, _: &mut PgConnection, _: &Snapshotter) -> Result<(), SnapshotError> {
        Ok(())
    }
}

/// The reason why a snapshot is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The database failed.
    #[error("the state cannot be read")]
    Database(#[from] sqlx::Error),
    /// The consumer closed the stream.
    #[error("the consumer closed the stream")]
    Closed,
}

/// The sink of the rows of a snapshot.
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

    /// Whether the consumer wants facts of this kind. Saves a query.
    #[must_use]
    pub fn wants<M: Name>(&self) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&M::full_name())
    }

    /// Publishes one row, unless the consumer does not want its kind. Waits when the consumer is slow.
    ///
    /// # Errors
    /// When the consumer closed the stream.
    pub async fn publish<M: Message + Name>(&self, key: impl ToString + Send, fact: &M) -> Result<(), SnapshotError> {
        if !self.wants::<M>() {
            return Ok(());
        }
        let (kind, key, payload) = (M::full_name(), key.to_string(), fact.encode_to_vec());
        let fact = Fact { seq: 0, kind, key, payload, traceparent: String::new(), created_at: None };
        self.send(SnapshotResponse { fact: Some(fact), ..SnapshotResponse::default() }).await
    }

    async fn send(&self, response: SnapshotResponse) -> Result<(), SnapshotError> {
        self.out.send(Ok(response)).await.map_err(|_| SnapshotError::Closed)
    }
}

/// Streams the state of one snapshot, then the position of the facts after it.
pub(super) async fn stream<S: SnapshotSource>(
    sql: &Sql,
    pool: &PgPool,
    state: &S,
    to: &Snapshotter,
) -> Result<(), SnapshotError> {
    let mut tx = db::begin_snapshot(pool).await?;
    // A slow consumer prolongs a statement; the timeout is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    // Read in the same snapshot as the state: a fact numbered up to here is in the state, a later one follows by Tail,
    // and one that is committed but not yet numbered is delivered twice, which handlers tolerate.
    let end = sql::query_as::<Position>(&sql.newest).fetch_one(&mut *tx).await?;
    state.publish(&mut tx, to).await?;
    tx.commit().await?;
    let history = format_history(end.history);
    to.send(SnapshotResponse { fact: None, end_seq: Some(end.seq), history }).await
}
