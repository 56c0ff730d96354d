//! The state of a service as facts, for consumers that are new, later than the retention, or ahead of a restored source.

use std::{collections::HashSet, fmt::Display, future::Future};

use prost::{Message, Name};
use sqlx::{PgConnection, PgPool};
use tokio::sync::mpsc;
use tonic::Status;
use uuid::Uuid;

use crate::{
    position::{Position, format_history},
    proto::{Fact, SnapshotPoint, SnapshotResponse},
    sql::{self, CHUNK, Sql},
};

/// The state of a service: each row as the fact that would have created it.
pub trait SnapshotSource: Send + Sync + 'static {
    /// Publishes every row of the kinds that [`Snapshotter::start`] returns, from there on, in the order of a unique key.
    /// `conn` is in a read-only transaction on one snapshot.
    fn publish(
        &self,
        conn: &mut PgConnection,
        to: &mut Snapshotter,
    ) -> impl Future<Output = Result<(), SnapshotError>> + Send;
}

/// For services without state that others copy.
#[derive(Clone, Copy, Debug)]
pub struct EmptySnapshot;

impl SnapshotSource for EmptySnapshot {
    async fn publish(&self, _: &mut PgConnection, _: &mut Snapshotter) -> Result<(), SnapshotError> {
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

/// The key of the last row that the consumer has: the columns of the order, as texts.
#[derive(Clone, Debug, Default)]
pub struct After(Vec<String>);

impl After {
    /// A column of ids; below every id at the start.
    #[must_use]
    pub fn id(&self, column: usize) -> Uuid {
        self.0.get(column).and_then(|id| id.parse().ok()).unwrap_or_default()
    }

    /// A column of positive numbers; 0 at the start.
    #[must_use]
    pub fn number(&self, column: usize) -> i64 {
        self.0.get(column).and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    /// A column of texts; empty at the start.
    #[must_use]
    pub fn text(&self, column: usize) -> &str {
        self.0.get(column).map(String::as_str).unwrap_or_default()
    }
}

/// The sink of the rows of a snapshot.
#[derive(Debug)]
pub struct Snapshotter {
    /// Empty for all.
    kinds: HashSet<String>,
    point: SnapshotPoint,
    /// Rows since the last point.
    rows: i64,
    out: mpsc::Sender<Result<SnapshotResponse, Status>>,
}

impl Snapshotter {
    pub(super) fn new(
        kinds: Vec<String>,
        point: Option<SnapshotPoint>,
        out: mpsc::Sender<Result<SnapshotResponse, Status>>,
    ) -> Self {
        Self { kinds: kinds.into_iter().collect(), point: point.unwrap_or_default(), rows: 0, out }
    }

    /// The key after which the rows of this kind start; `None` when the consumer has them all, or wants none.
    pub fn start<M: Name>(&mut self) -> Option<After> {
        let kind = M::full_name();
        let wanted = self.kinds.is_empty() || self.kinds.contains(&kind);
        if !wanted || self.point.finished.contains(&kind) {
            return None;
        }
        if self.point.kind == kind {
            return Some(After(self.point.after.clone()));
        }
        let before = std::mem::replace(&mut self.point.kind, kind);
        if !before.is_empty() {
            self.point.finished.push(before);
        }
        self.point.after.clear();
        Some(After::default())
    }

    /// Publishes one row. `at` is its key in the order. Waits when the consumer is slow.
    ///
    /// # Errors
    /// When the consumer closed the stream.
    pub async fn publish<M: Message + Name>(
        &mut self,
        at: &[&(dyn Display + Sync)],
        key: impl ToString + Send,
        fact: &M,
    ) -> Result<(), SnapshotError> {
        let (kind, key, payload) = (M::full_name(), key.to_string(), fact.encode_to_vec());
        let fact = Fact { seq: 0, kind, key, payload, traceparent: String::new(), created_at: None };
        self.send(SnapshotResponse { fact: Some(fact), ..SnapshotResponse::default() }).await?;
        self.rows += 1;
        if self.rows == CHUNK {
            self.rows = 0;
            self.point.after = at.iter().map(ToString::to_string).collect();
            let point = Some(self.point.clone());
            self.send(SnapshotResponse { point, ..SnapshotResponse::default() }).await?;
        }
        Ok(())
    }

    async fn send(&self, response: SnapshotResponse) -> Result<(), SnapshotError> {
        self.out.send(Ok(response)).await.map_err(|_| SnapshotError::Closed)
    }
}

/// Streams the position at the start, the state of one snapshot, then the position of the facts after it: `begin`, or the present one
/// in the first stream.
pub(super) async fn stream<S: SnapshotSource>(
    sql: &Sql,
    pool: &PgPool,
    state: &S,
    begin: Option<Position>,
    to: &mut Snapshotter,
) -> Result<(), SnapshotError> {
    let mut tx = db::begin_snapshot(pool).await?;
    // A slow consumer prolongs a statement; the timeout is for requests.
    sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
    // Read in the same snapshot as the state: a fact numbered up to here is in the state, a later one follows by Tail,
    // and one that is committed but not yet numbered is delivered twice, which handlers tolerate. When the stream continues an
    // interrupted one, the facts since its begin are delivered again as well, in their order, so that the last one decides.
    let now = sql::query_as::<Position>(&sql.newest).fetch_one(&mut *tx).await?;
    let begin = begin.unwrap_or(now);
    let history = format_history(begin.history);
    to.send(SnapshotResponse { begin_seq: Some(begin.seq), history: history.clone(), ..SnapshotResponse::default() })
        .await?;
    state.publish(&mut tx, to).await?;
    tx.commit().await?;
    to.send(SnapshotResponse { end_seq: Some(begin.seq), history, ..SnapshotResponse::default() }).await
}
