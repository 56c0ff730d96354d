//! The consumer: hears one source's facts in order and does what is to be done about each, exactly once in effect.

mod apply;
mod snapshot;

use std::{collections::HashMap, sync::Arc, time::Duration};

use metrics::{describe_counter, describe_gauge, gauge};
use sqlx::PgPool;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Status};

use crate::{
    Outbox,
    backoff::{Backoff, jittered},
    cursor::Cursor,
    handlers::{Failure, Handlers},
    proto::{TailRequest, outbox_client::OutboxClient},
    tail::HEARTBEAT,
};
use primitives::clock::Clock;
use rpc::{Call, Transport, identity::Signer};

/// Failures after which a fact is put aside.
const FAILURES: u32 = 10;
/// Facts nobody cares about between two moves of the cursor.
const SKIPPED: i64 = 200;
/// How long one that lost to its twin waits before it looks whether the twin still moves.
const STANDBY: Duration = Duration::from_secs(1);

/// Hears one source. Replicas may run it at once: the cursor's compare-and-set lets one through, the others stand by.
#[derive(Clone, Debug)]
pub struct Consumer {
    source: &'static str,
    cursor: Cursor,
    pool: PgPool,
    client: OutboxClient<Transport>,
    signer: Arc<Signer>,
    clock: Clock,
    handlers: Handlers,
}

/// Why a consumer stopped hearing.
#[derive(Debug, thiserror::Error)]
enum Stop {
    /// Another consumer moved the cursor.
    #[error("a twin hears this source")]
    Twin,
    /// The facts after the cursor are not kept any more.
    #[error("the facts are pruned")]
    Pruned,
    /// The source ended the stream, or is not there.
    #[error("the source is away")]
    Source(#[source] Status),
    /// Our own database failed.
    #[error("the database is away")]
    Database(#[from] sqlx::Error),
    /// An effect failed in a snapshot, which starts anew.
    #[error("an effect failed")]
    Effect(#[source] Failure),
}

impl From<Status> for Stop {
    fn from(status: Status) -> Self {
        if status.code() == Code::OutOfRange { Self::Pruned } else { Self::Source(status) }
    }
}

impl Consumer {
    /// A consumer of `source`'s facts with its cursor in `outbox`'s schema.
    #[must_use]
    pub fn new(
        outbox: &Outbox,
        pool: PgPool,
        source: &'static str,
        transport: Transport,
        signer: Arc<Signer>,
        clock: Clock,
        handlers: Handlers,
    ) -> Self {
        describe_gauge!("outbox_lag", "Facts a source has told that the consumer has not digested");
        describe_counter!("outbox_dead_facts_total", "Facts put aside after ten failures, into dead_facts");
        let cursor = Cursor::new(outbox, source, clock.clone());
        Self { source, cursor, pool, client: OutboxClient::new(transport), signer, clock, handlers }
    }

    /// Hears until `stopped`, through whatever goes away and comes back.
    ///
    /// # Errors
    /// None; the signature is that of background work.
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        tokio::select! {
            () = stopped.cancelled() => {}
            () = self.run_until_dropped() => {}
        }
        Ok(())
    }

    async fn run_until_dropped(&self) {
        let mut backoff = Backoff::default();
        let mut failures = HashMap::new();
        loop {
            let stop = self.consume_once(&mut backoff, &mut failures).await;
            match stop {
                Stop::Twin => {
                    tracing::debug!(source = self.source, "a twin hears this source; standing by");
                    self.stand_by().await;
                    continue;
                }
                Stop::Source(ref status) if status.code() == Code::Unavailable => {
                    tracing::debug!(source = self.source, error = %primitives::error::ErrorChain(&stop), "not hearing");
                }
                _ => tracing::warn!(source = self.source, error = %primitives::error::ErrorChain(&stop), "not hearing"),
            }
            sleep(backoff.next_delay()).await;
        }
    }

    /// Hears until something stops it; where it stands is in the database, so the next call goes on from there.
    async fn consume_once(&self, backoff: &mut Backoff, failures: &mut HashMap<(String, String), u32>) -> Stop {
        let heard = async {
            let position = match self.cursor.read(&self.pool).await? {
                Some(seq) => seq,
                None => self.take_snapshot(None, failures).await?,
            };
            match self.tail(position, backoff).await {
                Err(Stop::Pruned) => {
                    let from = self.cursor.read(&self.pool).await?;
                    tracing::warn!(source = self.source, cursor = from, "the source keeps no facts from here on");
                    let position = self.take_snapshot(from, failures).await?;
                    self.tail(position, backoff).await
                }
                other => other,
            }
        };
        match heard.await {
            Err(stop) => stop,
            Ok(()) => Stop::Source(Status::unavailable("the stream ended")),
        }
    }

    async fn tail(&self, start: i64, backoff: &mut Backoff) -> Result<(), Stop> {
        let request = self.request(TailRequest { after_seq: start, from_now: false })?;
        let mut stream = self.client.clone().tail(request).await?.into_inner();
        // What the database says, and how far we are: apart while facts nobody cares about go by.
        let (mut stored, mut position) = (start, start);
        let silence = || Status::unavailable("no sign of life");
        while let Some(heard) = timeout(HEARTBEAT * 3, stream.message()).await.map_err(|_| silence())?? {
            backoff.reset();
            match heard.fact {
                Some(fact) if fact.seq != position + 1 => {
                    return Err(Status::data_loss(format!("{} follows {position}", fact.seq)).into());
                }
                Some(fact) => {
                    position = fact.seq;
                    if self.handlers.know(&fact.kind) {
                        self.digest(stored, &fact).await?;
                        stored = position;
                    }
                }
                None => {}
            }
            if position - stored >= SKIPPED || (position > stored && position >= heard.last_seq) {
                self.skip(stored, position).await?;
                stored = position;
            }
            self.show_lag(heard.last_seq - position);
        }
        Ok(())
    }

    /// Waits for as long as the twin moves the cursor.
    async fn stand_by(&self) {
        // The twin shows the lag.
        self.show_lag(0);
        let mut last = self.cursor.read(&self.pool).await.ok();
        loop {
            sleep(jittered(STANDBY * 2)).await;
            let now = self.cursor.read(&self.pool).await.ok();
            if now == last {
                return;
            }
            last = now;
        }
    }

    fn request<T>(&self, message: T) -> Result<Request<T>, Status> {
        let token = self.signer.service(self.clock.now());
        let token = token.map_err(|error| Status::internal(error.to_string()))?;
        Call::streaming(&token)?.request(message)
    }

    fn show_lag(&self, facts: i64) {
        // Exact up to 2^53 facts.
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        let facts = facts as f64;
        gauge!("outbox_lag", "source" => self.source, "consumer" => self.cursor.schema()).set(facts);
    }
}
