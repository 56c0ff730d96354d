//! The consumer: applies the facts of one source in order, each exactly once.

mod apply;
mod batch;
mod lag;
mod replay;
mod snapshot;
mod staging;

use std::{collections::HashMap, time::Duration};

use sqlx::PgPool;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;
use uuid::Uuid;

pub use self::lag::Lag;

use self::batch::Batches;
use crate::{
    Outbox,
    backoff::{Backoff, jittered},
    cursor::Cursor,
    handlers::{Failure, Handlers},
    position::{Position, format_history},
    proto::{TailRequest, outbox_client::OutboxClient},
    status::RESTORED,
};
use chassis::lifecycle::Activity;
use primitives::clock::Clock;
use rpc::{Call, Transport, identity::Credentials};

/// The failures after which a fact moves to `dead_facts`.
const MAX_FAILURES: u32 = 10;
/// The maximum of facts without a handler between two moves of the cursor.
const MAX_SKIPPED: i64 = 200;
/// The maximum time in which facts without a handler pass before the cursor moves over them.
const SKIP_INTERVAL: Duration = Duration::from_millis(250);
/// The interval at which a replica on standby checks that the active one moves the cursor.
const STANDBY_INTERVAL: Duration = Duration::from_secs(1);
/// The interval of looking at the lag, in a process with recent events.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(5);

/// Consumes one source. Replicas run it concurrently: the compare-and-set of the cursor admits one, the others stand
/// by.
#[derive(Clone, Debug)]
pub struct Consumer {
    source: &'static str,
    cursor: Cursor,
    pool: PgPool,
    client: OutboxClient<Transport>,
    credentials: Credentials,
    clock: Clock,
    handlers: Handlers,
    activity: Activity,
}

/// The reason why a consumer stopped.
#[derive(Debug, thiserror::Error)]
enum Stop {
    /// Another replica moved the cursor.
    #[error("another replica consumes this source")]
    OtherReplica,
    /// The facts after the cursor are pruned.
    #[error("the facts are pruned")]
    Pruned,
    /// The source lost facts before the cursor: it was restored, or failed over.
    #[error("the source was restored")]
    Restored,
    /// The source ended the stream or is unavailable.
    #[error("the source is unavailable")]
    Source(#[source] Status),
    /// The database of the consumer failed.
    #[error("the database is unavailable")]
    Database(#[from] sqlx::Error),
    /// A handler failed in a snapshot, which starts again.
    #[error("a handler failed")]
    Handler(#[source] Failure),
}

impl From<Status> for Stop {
    fn from(status: Status) -> Self {
        match status.code() {
            Code::OutOfRange if is_restored(&status) => Self::Restored,
            Code::OutOfRange => Self::Pruned,
            _ => Self::Source(status),
        }
    }
}

fn is_restored(status: &Status) -> bool {
    status.get_details_error_info().is_some_and(|info| info.reason == RESTORED)
}

impl Consumer {
    /// Creates a consumer of `source` with its cursor in the schema of `outbox`.
    #[must_use]
    pub fn new(
        outbox: &Outbox,
        pool: PgPool,
        source: &'static str,
        transport: Transport,
        credentials: Credentials,
        clock: Clock,
        handlers: Handlers,
    ) -> Self {
        let cursor = Cursor::new(outbox, source, clock.clone());
        Self {
            source,
            cursor,
            pool,
            client: OutboxClient::new(transport),
            credentials,
            clock,
            handlers,
            activity: Activity::default(),
        }
    }

    /// Records applied facts as events of the process.
    #[must_use]
    pub fn recording(self, activity: Activity) -> Self {
        Self { activity, ..self }
    }

    /// Consumes until `stopped`. Reconnects after every failure.
    ///
    /// # Errors
    /// None; background tasks have this signature.
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        lag::describe(self.source, self.cursor.schema());
        tokio::select! {
            () = stopped.cancelled() => {}
            () = self.run_until_dropped() => {}
            () = self.observe_until_dropped() => {}
        }
        Ok(())
    }

    async fn run_until_dropped(&self) {
        let mut backoff = Backoff::default();
        let mut failures = HashMap::new();
        loop {
            let stop = self.consume_once(&mut backoff, &mut failures).await;
            match stop {
                Stop::OtherReplica => {
                    tracing::debug!(source = self.source, "another replica consumes this source; standing by");
                    self.stand_by().await;
                    continue;
                }
                Stop::Source(ref status) if status.code() == Code::Unavailable => {
                    tracing::debug!(source = self.source, error = %primitives::error::ErrorChain(&stop), "the consumer stopped");
                }
                _ => {
                    tracing::warn!(source = self.source, error = %primitives::error::ErrorChain(&stop), "the consumer stopped")
                }
            }
            sleep(backoff.next_delay()).await;
        }
    }

    /// Consumes until a failure. The cursor in the database is the start of the next call.
    async fn consume_once(&self, backoff: &mut Backoff, failures: &mut HashMap<(String, String), u32>) -> Stop {
        let consumed = async {
            let position = match self.cursor.read(&self.pool).await? {
                Some(position) => position,
                None => self.take_snapshot(None, failures).await?,
            };
            match self.tail(position, backoff).await {
                Err(stop @ (Stop::Pruned | Stop::Restored)) => {
                    let from = self.cursor.read(&self.pool).await?;
                    self.report_snapshot(from, matches!(stop, Stop::Restored));
                    let position = self.take_snapshot(from, failures).await?;
                    self.tail(position, backoff).await
                }
                other => other,
            }
        };
        match consumed.await {
            Err(stop) => stop,
            Ok(()) => Stop::Source(Status::unavailable("the stream ended")),
        }
    }

    async fn tail(&self, start: Position, backoff: &mut Backoff) -> Result<(), Stop> {
        let history = format_history(start.history);
        let kinds = self.handlers.kinds();
        let request = self.request(TailRequest { after_seq: start.seq, from_now: false, history, kinds })?;
        let stream = self.client.clone().tail(request).await?.into_inner();
        let mut batches = Batches::new(stream, start.seq);
        // The cursor in the database, and the position in the stream: they differ while facts without a handler pass.
        let (mut stored, mut position) = (start, start.seq);
        let mut skip_at = Instant::now();
        loop {
            let next = batches.next(&self.handlers);
            let next = if position > stored.seq { timeout_at(skip_at, next).await } else { Ok(next.await) };
            if let Ok(batch) = next {
                let Some(batch) = batch? else { return Ok(()) };
                backoff.reset();
                if let Some(history) = batch.history.filter(|history| stored.history != Some(*history)) {
                    stored = self.adopt(stored, history).await?;
                }
                if let Some(last) = batch.facts.last() {
                    self.process_all(stored, &batch.facts).await?;
                    self.activity.record();
                    stored.seq = last.seq;
                    skip_at = Instant::now() + SKIP_INTERVAL;
                } else if position == stored.seq {
                    skip_at = Instant::now() + SKIP_INTERVAL;
                }
                position = batch.position;
            }
            if position - stored.seq >= MAX_SKIPPED || (position > stored.seq && skip_at <= Instant::now()) {
                self.skip(stored, position).await?;
                stored.seq = position;
            }
        }
    }

    /// Moves the cursor to the history of the stream, which the source found to contain its facts.
    async fn adopt(&self, from: Position, history: Uuid) -> Result<Position, Stop> {
        let mut conn = self.pool.acquire().await?;
        if !self.cursor.adopt(&mut conn, from, history).await? {
            return Err(Stop::OtherReplica);
        }
        Ok(Position { history: Some(history), ..from })
    }

    /// Waits while the other replica moves the cursor.
    async fn stand_by(&self) {
        let mut last = self.cursor.read(&self.pool).await.ok();
        loop {
            sleep(jittered(STANDBY_INTERVAL * 2)).await;
            let now = self.cursor.read(&self.pool).await.ok();
            if now == last {
                return;
            }
            last = now;
        }
    }

    fn request<T>(&self, message: T) -> Result<Request<T>, Status> {
        Call::streaming(self.credentials.clone()).request(message)
    }

    /// Looks at the lag, and for dead facts that an operator wants to be applied again.
    async fn observe_until_dropped(&self) {
        let mut known = None;
        loop {
            self.activity.pause(OBSERVE_INTERVAL).await;
            let observed = async {
                self.report(&mut known).await?;
                self.replay_requested().await
            };
            if let Err(error) = observed.await {
                tracing::debug!(source = self.source, %error, "the consumer cannot be observed");
            }
        }
    }
}
