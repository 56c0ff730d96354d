//! The worker: runs due crawls, a few at a time.

use std::{collections::HashSet, time::Duration};

use primitives::error::ErrorChain;
use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::Crawler;
use crate::sources;

/// Concurrent crawls in one process.
const MAX_CRAWLS: usize = 4;
/// The poll interval, after which a source that another process made due is noticed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

impl Crawler {
    /// Runs the crawls that are due until the process stops, and releases the leases of running ones.
    pub(super) async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut running: JoinSet<()> = JoinSet::new();
        let mut leases: HashSet<Uuid> = HashSet::new();
        while !stopped.is_cancelled() {
            while running.len() < MAX_CRAWLS {
                match self.claim().await {
                    Ok(Some(leased)) => {
                        leases.insert(leased.crawl_id);
                        let crawler = self.clone();
                        running.spawn(async move { crawler.crawl(&leased).await });
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(error = %ErrorChain(&error), "no source could be leased");
                        break;
                    }
                }
            }
            if running.is_empty() {
                leases.clear();
            }
            let delay = self.delay().await;
            tokio::select! {
                () = stopped.cancelled() => {}
                () = self.wake.notified() => {}
                Some(_) = running.join_next() => {}
                () = sleep(delay) => {}
            }
        }
        running.shutdown().await;
        let leases: Vec<Uuid> = leases.into_iter().collect();
        sources::release(&mut *self.db.acquire().await?, &leases).await?;
        Ok(())
    }

    /// The time until a source is due, at most the poll interval.
    async fn delay(&self) -> Duration {
        let now = self.clock.now();
        let due = async { sources::next_due(&mut *self.db.acquire().await?, now).await };
        match due.await {
            Ok(Some(due)) => (due - now).to_std().unwrap_or_default().clamp(Duration::from_millis(100), POLL_INTERVAL),
            _ => POLL_INTERVAL,
        }
    }
}
