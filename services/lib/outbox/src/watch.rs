//! Subscription without a database: for caches, which have no cursor and can be emptied at any time.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use crate::{
    backoff::Backoff,
    proto::{Fact, TailRequest, outbox_client::OutboxClient},
    tail::HEARTBEAT,
};
use chassis::{ServiceContext, config};
use rpc::{Call, Transport, identity::Credentials};

/// An event of a watched source.
#[derive(Debug)]
pub enum Delivery<'a> {
    /// Facts may be missing: every earlier cache entry can be stale.
    Gap,
    /// A new fact.
    Fact(&'a Fact),
}

/// Calls `on_delivery` with every fact that `source` publishes from now on, in order. Gaps are reported.
///
/// # Errors
/// When the address of the source is not configured, or its facts are not for this process.
pub fn watch(
    context: &ServiceContext,
    source: &'static str,
    on_delivery: impl Fn(Delivery<'_>) + Send + Sync + 'static,
) -> Result<(), config::Error> {
    crate::permitted(access::may_watch(context.service, source), context.service, source)?;
    let watch = Watch {
        source,
        transport: context.upstreams.transport(source)?,
        log_position: context.upstreams.position(source),
        credentials: context.credentials(),
        on_delivery: Arc::new(on_delivery),
    };
    context.tasks.spawn("watch", move |stopped| watch.clone().run(stopped));
    Ok(())
}

#[derive(Clone)]
struct Watch {
    source: &'static str,
    transport: Transport,
    /// The reads of this process must contain the facts that it has received.
    log_position: Arc<AtomicU64>,
    credentials: Credentials,
    on_delivery: Arc<dyn Fn(Delivery<'_>) + Send + Sync>,
}

impl Watch {
    async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let watched = async {
            let mut backoff = Backoff::default();
            // The position after an interruption; unknown at first, and when the source has pruned the facts after it.
            let mut position: Option<(i64, String)> = None;
            loop {
                let Err(status) = self.follow(&mut position, &mut backoff).await;
                if status.code() == Code::OutOfRange {
                    position = None;
                    self.log_position.store(0, Ordering::Release);
                }
                tracing::debug!(source = self.source, code = ?status.code(), message = status.message(), "the watch stopped");
                sleep(backoff.next_delay()).await;
            }
        };
        tokio::select! {
            () = stopped.cancelled() => Ok(()),
            () = watched => Ok(()),
        }
    }

    async fn follow(&self, position: &mut Option<(i64, String)>, backoff: &mut Backoff) -> Result<Infallible, Status> {
        let (after_seq, history) = position.clone().unwrap_or_default();
        let request = TailRequest { after_seq, from_now: position.is_none(), history, kinds: Vec::new() };
        let request = Call::streaming(self.credentials.clone()).request(request)?;
        let mut stream = OutboxClient::new(self.transport.clone()).tail(request).await?.into_inner();
        loop {
            let response = timeout(HEARTBEAT * 3, stream.message()).await;
            let response = response.map_err(|_| Status::unavailable("no heartbeat"))??;
            let response = response.ok_or_else(|| Status::unavailable("the stream ended"))?;
            backoff.reset();
            let is_other = |(_, known): &(i64, String)| !response.history.is_empty() && *known != response.history;
            if position.as_ref().is_some_and(is_other) {
                // The log of another server may be shorter.
                self.log_position.store(response.log_position, Ordering::Release);
            } else {
                self.log_position.fetch_max(response.log_position, Ordering::AcqRel);
            }
            match response.fact {
                Some(fact) => {
                    if let Some((seq, _)) = position {
                        *seq = fact.seq;
                    }
                    (self.on_delivery)(Delivery::Fact(&fact));
                }
                // The first response: the stream is established, so facts after this gap are not missed.
                None if position.is_none() => {
                    *position = Some((response.last_seq, response.history));
                    (self.on_delivery)(Delivery::Gap);
                }
                // This history has the same facts up to the position.
                None => *position = position.take().map(|(seq, _)| (seq, response.history)),
            }
        }
    }
}
