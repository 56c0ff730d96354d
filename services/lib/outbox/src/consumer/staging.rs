//! The rows of a snapshot in the consumer's schema, until they are applied: a killed snapshot continues after its last chunk.

use chrono::{DateTime, TimeDelta, Utc};
use prost::Message as _;
use sqlx::{FromRow, PgConnection, PgExecutor};
use tokio::time::sleep;
use uuid::Uuid;

use super::{Consumer, STANDBY_INTERVAL, Stop};
use crate::{
    Fact,
    backoff::jittered,
    position::{Position, format_history, parse_history},
    proto::{SnapshotPoint, SnapshotRequest, SnapshotResponse},
    sql,
};

/// A kind that no service publishes.
const NO_KIND: &str = "portia.outbox.v1.Nothing";

/// After this time a killed snapshot starts again. Its rows are older than the facts of other sources that this consumer has applied
/// meanwhile: a member who is erased between them would come back.
const RESUMABLE: TimeDelta = TimeDelta::minutes(10);

/// The last stored chunk of a snapshot.
#[derive(Clone, Debug, FromRow)]
struct Staged {
    history: Option<Uuid>,
    seq: i64,
    basis: String,
    began_at: DateTime<Utc>,
    point: Vec<u8>,
    chunks: i64,
    is_complete: bool,
}

impl Staged {
    const fn begin(&self) -> Position {
        Position { history: self.history, seq: self.seq }
    }
}

impl Consumer {
    /// Stores the rows of the source, from the last chunk on, unless another replica does so. `from` is the present
    /// cursor.
    pub(super) async fn stage(&self, from: Option<Position>) -> Result<(), Stop> {
        let mut staged = self.staged(&self.pool).await?;
        if let Some(before) = &staged {
            let is_usable =
                before.basis == self.basis(from) && self.clock.now().signed_duration_since(before.began_at) < RESUMABLE;
            if is_usable && before.is_complete {
                return Ok(());
            }
            if !before.is_complete {
                sleep(jittered(STANDBY_INTERVAL * 2)).await;
                if self.staged(&self.pool).await?.is_none_or(|now| now.chunks != before.chunks) {
                    return Err(Stop::OtherReplica);
                }
            }
            if !is_usable {
                self.discard().await?;
                staged = None;
            }
        }
        match self.receive(staged, from).await {
            // The source was restored meanwhile.
            Err(stop @ (Stop::Restored | Stop::Pruned)) => {
                self.discard().await?;
                Err(stop)
            }
            received => received.map(drop),
        }
    }

    /// Deletes the stored rows, which may be millions.
    async fn discard(&self) -> Result<(), Stop> {
        let mut tx = db::begin_plain(&self.pool).await?;
        sqlx::raw_sql("set local statement_timeout = 0").execute(&mut *tx).await?;
        sql::query(&self.cursor.sql().delete_snapshot).bind(self.source).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Returns the condition for a use of the stored rows: the cursor that they replace and their kinds.
    fn basis(&self, from: Option<Position>) -> String {
        format!("{from:?} {:?}", self.kinds())
    }

    /// Returns the position of the facts after the stored rows, once they are complete.
    pub(super) async fn staged_end(&self, conn: &mut PgConnection) -> Result<Option<Position>, sqlx::Error> {
        Ok(self.staged(conn).await?.filter(|staged| staged.is_complete).map(|staged| staged.begin()))
    }

    async fn staged(&self, db: impl PgExecutor<'_>) -> Result<Option<Staged>, sqlx::Error> {
        sql::query_as::<Staged>(&self.cursor.sql().snapshot).bind(self.source).fetch_optional(db).await
    }

    async fn receive(&self, staged: Option<Staged>, from: Option<Position>) -> Result<Position, Stop> {
        let mut request = SnapshotRequest { kinds: self.kinds(), ..SnapshotRequest::default() };
        if let Some(staged) = &staged {
            request.point = SnapshotPoint::decode(staged.point.as_slice()).ok();
            request.begin_seq = staged.seq;
            request.history = format_history(staged.history);
            tracing::info!(source = self.source, chunks = staged.chunks, "the snapshot continues");
        }
        let mut begin = staged.as_ref().map(Staged::begin);
        let (mut began_at, mut chunks) =
            staged.map_or_else(|| (self.clock.now(), 0), |staged| (staged.began_at, staged.chunks));
        let mut stream = self.client.clone().snapshot(self.request(request)?).await?.into_inner();
        let mut rows = Vec::new();
        while let Some(response) = stream.message().await? {
            let SnapshotResponse { fact, end_seq, history, begin_seq, point } = response;
            rows.extend(fact);
            let announced = begin_seq.or(end_seq).map(|seq| Position { history: parse_history(&history), seq });
            if let (None, Some(position)) = (begin, announced) {
                begin = Some(position);
                began_at = self.begin_staging(position, from).await?;
            }
            let Some(position) = begin else { continue };
            if point.is_some() || end_seq.is_some() {
                self.store_chunk((began_at, chunks), &rows, point, end_seq.is_some()).await?;
                chunks += 1;
                rows.clear();
            }
            if end_seq.is_some() {
                return Ok(position);
            }
        }
        Err(tonic::Status::data_loss("the snapshot ended early").into())
    }

    /// Begins to store a snapshot, and returns the time that identifies it.
    async fn begin_staging(&self, begin: Position, from: Option<Position>) -> Result<DateTime<Utc>, Stop> {
        let began_at = self.clock.now();
        let statement =
            sql::query(&self.cursor.sql().begin_snapshot).bind(self.source).bind(begin.history).bind(begin.seq);
        let begun = statement.bind(self.basis(from)).bind(began_at).execute(&self.pool).await?;
        // Its rows belong to another position.
        if begun.rows_affected() == 0 { Err(Stop::OtherReplica) } else { Ok(began_at) }
    }

    /// Stores rows and their point in one transaction, unless another replica was faster.
    async fn store_chunk(
        &self,
        (began_at, chunks): (DateTime<Utc>, i64),
        rows: &[Fact],
        point: Option<SnapshotPoint>,
        is_complete: bool,
    ) -> Result<(), Stop> {
        let statements = self.cursor.sql();
        let mut tx = db::begin_plain(&self.pool).await?;
        let point = point.unwrap_or_default().encode_to_vec();
        let moved = sql::query(&statements.move_snapshot)
            .bind(self.source)
            .bind(chunks)
            .bind(point)
            .bind(is_complete)
            .bind(began_at);
        if moved.execute(&mut *tx).await?.rows_affected() == 0 {
            return Err(Stop::OtherReplica);
        }
        let column = |of: fn(&Fact) -> &str| rows.iter().map(of).collect::<Vec<_>>();
        sql::query(&statements.insert_rows)
            .bind(self.source)
            .bind(column(|fact| &fact.kind))
            .bind(column(|fact| &fact.key))
            .bind(rows.iter().map(|fact| fact.payload.as_slice()).collect::<Vec<_>>())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The requested kinds. An empty list means all kinds, so a consumer that needs only the position requests a kind
    /// that does not exist.
    fn kinds(&self) -> Vec<String> {
        let kinds = self.handlers.state_kinds();
        if kinds.is_empty() { vec![NO_KIND.to_owned()] } else { kinds }
    }
}
