//! The server of portia.outbox.v1.Outbox: the facts of a service, for other services only.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use crate::{
    Outbox, Sequencer,
    position::{Position, parse_history},
    proto::{
        GetPositionRequest, GetPositionResponse, SnapshotRequest, SnapshotResponse, TailRequest, TailResponse,
        outbox_server,
    },
    recent_facts::RecentFacts,
    snapshot::{self, SnapshotSource, Snapshotter},
    sql::{self, Sql},
    status::{database_unavailable, stopping},
    tail::{Tail, check_shared, locate},
};
use chassis::lifecycle::Standby;
use primitives::clock::timestamp;
use rpc::identity::Actor;

/// The buffered messages of one stream.
const BUFFER: usize = 64;
/// The maximum of concurrent snapshots: each holds a connection for as long as its consumer reads.
const MAX_SNAPSHOTS: usize = 2;

/// Serves one outbox. `S` provides the state for consumers that are too late for the facts.
#[derive(Debug)]
pub struct Server<S> {
    sql: Arc<Sql>,
    pool: PgPool,
    recent: RecentFacts,
    newest: watch::Sender<Position>,
    draining: CancellationToken,
    snapshots: Arc<Semaphore>,
    state: Arc<S>,
}

impl<S: SnapshotSource> Server<S> {
    /// A server that `sequencer`, running in this process, wakes. It ends its streams when `draining`.
    #[must_use]
    pub fn new(outbox: &Outbox, pool: PgPool, sequencer: &Sequencer, draining: CancellationToken, state: S) -> Self {
        Self {
            sql: Arc::clone(&outbox.sql),
            recent: RecentFacts::new(Arc::clone(&outbox.sql), pool.clone(), Standby::default()),
            pool,
            newest: sequencer.newest(),
            draining,
            snapshots: Arc::new(Semaphore::new(MAX_SNAPSHOTS)),
            state: Arc::new(state),
        }
    }

    /// States the positions of facts in the write-ahead log, for reads from the standby.
    #[must_use]
    pub fn with_standby(self, standby: Standby) -> Self {
        let recent = RecentFacts::new(Arc::clone(&self.sql), self.pool.clone(), standby);
        Self { recent, ..self }
    }
}

#[tonic::async_trait]
impl<S: SnapshotSource> outbox_server::Outbox for Server<S> {
    type TailStream = ReceiverStream<Result<TailResponse, Status>>;
    type SnapshotStream = ReceiverStream<Result<SnapshotResponse, Status>>;

    async fn tail(&self, request: Request<TailRequest>) -> Result<Response<Self::TailStream>, Status> {
        Actor::require_any_service(&request)?;
        let (out, stream) = mpsc::channel(BUFFER);
        let (sql, pool, recent) = (Arc::clone(&self.sql), self.pool.clone(), self.recent.clone());
        let mut request = request.into_inner();
        let kinds = std::mem::take(&mut request.kinds).into_iter().collect();
        let tail = Tail { sql, pool, recent, newest: self.newest.clone(), kinds, out };
        let start = tail.start(&request).await?;
        tokio::spawn(tail.run(start, self.draining.clone()));
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn snapshot(&self, request: Request<SnapshotRequest>) -> Result<Response<Self::SnapshotStream>, Status> {
        Actor::require_any_service(&request)?;
        let (out, stream) = mpsc::channel(BUFFER);
        let request = request.into_inner();
        // The facts since the begin of an interrupted snapshot must belong to this database.
        let mut begin = None;
        if request.point.is_some() {
            let asked = Position { history: parse_history(&request.history), seq: request.begin_seq };
            let (now, shared) = locate(&self.sql, &self.pool, asked.history).await?;
            // The later chunks may have rows of facts that another history does not have.
            check_shared(asked, if now.history == asked.history { shared } else { -1 })?;
            begin = Some(Position { history: now.history, seq: asked.seq });
        }
        let mut snapshotter = Snapshotter::new(request.kinds, request.point, out.clone());
        let (sql, pool, state) = (Arc::clone(&self.sql), self.pool.clone(), Arc::clone(&self.state));
        let (snapshots, draining) = (Arc::clone(&self.snapshots), self.draining.clone());
        tokio::spawn(async move {
            let streamed = async {
                let _permit = snapshots.acquire().await;
                snapshot::stream(&sql, &pool, state.as_ref(), begin, &mut snapshotter).await
            };
            tokio::select! {
                result = streamed => if let Err(snapshot::SnapshotError::Database(error)) = result {
                    out.send(Err(database_unavailable(&error))).await.ok();
                },
                () = draining.cancelled() => {
                    out.send(Err(stopping())).await.ok();
                }
                () = out.closed() => {}
            }
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn get_position(
        &self,
        request: Request<GetPositionRequest>,
    ) -> Result<Response<GetPositionResponse>, Status> {
        Actor::require_any_service(&request)?;
        type Row = (i64, i64, Option<DateTime<Utc>>);
        let after = request.into_inner().after_seq;
        let read = sql::query_as::<Row>(&self.sql.position).bind(after).fetch_one(&self.pool).await;
        let (last_seq, unnumbered, oldest) = read.map_err(|error| database_unavailable(&error))?;
        Ok(Response::new(GetPositionResponse { last_seq, unnumbered, oldest_at: oldest.map(timestamp) }))
    }
}
