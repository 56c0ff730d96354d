//! The worker: a few crawls at a time, for as long as the process lives.

use std::{collections::HashSet, time::Duration};

use primitives::error::ErrorChain;
use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Crawler;
use crate::sources;

/// Crawls at once in one process.
const AT_ONCE: usize = 4;
/// How soon a replica notices what another one's callers want.
const LOOK: Duration = Duration::from_secs(5);

impl Crawler {
    /// Crawls whatever is due until the process stops, and gives back what it stops in the middle of.
    ///
    /// # Errors
    /// None: what fails is tried again.
    pub async fn work(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut running: JoinSet<()> = JoinSet::new();
        let mut leases: HashSet<Uuid> = HashSet::new();
        while !stopped.is_cancelled() {
            while running.len() < AT_ONCE {
                match self.claim().await {
                    Ok(Some(leased)) => {
                        leases.insert(leased.crawl_id);
                        let crawler = self.clone();
                        running.spawn(async move { crawler.crawl(&leased).await });
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(error = %ErrorChain(&error), "sources cannot be looked at");
                        break;
                    }
                }
            }
            if running.is_empty() {
                leases.clear();
            }
            let rest = self.rest().await;
            tokio::select! {
                () = stopped.cancelled() => {}
                () = self.wake.notified() => {}
                Some(_) = running.join_next() => {}
                () = sleep(rest) => {}
            }
        }
        running.shutdown().await;
        let leases: Vec<Uuid> = leases.into_iter().collect();
        sources::release(&mut *self.db.acquire().await?, &leases).await?;
        Ok(())
    }

    /// Until the next source is due, but no longer than it takes to notice another replica's callers.
    async fn rest(&self) -> Duration {
        let now = self.clock.now();
        let due = async { sources::next_due(&mut *self.db.acquire().await?, now).await };
        match due.await {
            Ok(Some(due)) => (due - now).to_std().unwrap_or_default().clamp(Duration::from_millis(100), LOOK),
            _ => LOOK,
        }
    }
}
