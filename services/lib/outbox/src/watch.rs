//! Hearing facts without a database: for caches, which keep no cursor and may forget everything at any time.

use std::{convert::Infallible, sync::Arc};

use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use crate::{
    backoff::Backoff,
    proto::{Fact, TailRequest, outbox_client::OutboxClient},
    tail::HEARTBEAT,
};
use chassis::{ServiceContext, config};
use primitives::clock::Clock;
use rpc::{Call, Transport, identity::Signer};

/// What a cache is told.
#[derive(Debug)]
pub enum Delivery<'a> {
    /// Facts may have been missed: whatever was cached before this moment may be stale.
    Gap,
    /// This happened.
    Fact(&'a Fact),
}

/// Tells `hear` what `source` publishes from now on, in order, without gaps it is not told of.
///
/// # Errors
/// When the source's address is not configured.
pub fn watch(
    context: &ServiceContext,
    source: &'static str,
    hear: impl Fn(Delivery<'_>) + Send + Sync + 'static,
) -> Result<(), config::Error> {
    let watching = Watching {
        source,
        transport: context.upstreams.transport(source)?,
        signer: Arc::clone(&context.signer),
        clock: context.clock.clone(),
        hear: Arc::new(hear),
    };
    context.tasks.spawn("watch", move |stopped| watching.clone().run(stopped));
    Ok(())
}

#[derive(Clone)]
struct Watching {
    source: &'static str,
    transport: Transport,
    signer: Arc<Signer>,
    clock: Clock,
    hear: Arc<dyn Fn(Delivery<'_>) + Send + Sync>,
}

impl Watching {
    async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let watched = async {
            let mut backoff = Backoff::default();
            // Where to go on after a broken line; unknown at first, and when the source keeps no facts from there.
            let mut position = None;
            loop {
                let Err(status) = self.follow(&mut position, &mut backoff).await;
                if status.code() == Code::OutOfRange {
                    position = None;
                }
                tracing::debug!(source = self.source, code = ?status.code(), message = status.message(), "not watching");
                sleep(backoff.next_delay()).await;
            }
        };
        tokio::select! {
            () = stopped.cancelled() => Ok(()),
            () = watched => Ok(()),
        }
    }

    async fn follow(&self, position: &mut Option<i64>, backoff: &mut Backoff) -> Result<Infallible, Status> {
        let token = self.signer.service(self.clock.now()).map_err(|error| Status::internal(error.to_string()))?;
        let request = TailRequest { after_seq: position.unwrap_or(0), from_now: position.is_none() };
        let request = Call::streaming(&token)?.request(request)?;
        let mut stream = OutboxClient::new(self.transport.clone()).tail(request).await?.into_inner();
        loop {
            let heard = timeout(HEARTBEAT * 3, stream.message()).await;
            let heard = heard.map_err(|_| Status::unavailable("no sign of life"))??;
            let heard = heard.ok_or_else(|| Status::unavailable("the stream ended"))?;
            backoff.reset();
            match heard.fact {
                Some(fact) => {
                    *position = Some(fact.seq);
                    (self.hear)(Delivery::Fact(&fact));
                }
                // The first answer from now on: the line stands, so whatever is forgotten here cannot be missed.
                None if position.is_none() => {
                    *position = Some(heard.last_seq);
                    (self.hear)(Delivery::Gap);
                }
                None => {}
            }
        }
    }
}
