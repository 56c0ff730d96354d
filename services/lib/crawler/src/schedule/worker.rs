//! The worker: runs due crawls, a few at a time, and reports their outcomes.

use std::{future::Future, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use primitives::error::ErrorChain;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{EndedCrawl, Lease, Schedule, SourceId, sql::query_as};

/// Concurrent crawls in one process.
const MAX_CRAWLS: usize = 4;
/// The poll interval, after which a source that another process made due is noticed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The shortest pause between two polls: another process may be about to lease a due source.
const MIN_PAUSE: Duration = Duration::from_millis(100);

/// The crawls of a service.
pub trait Crawl<Id>: Clone + Send + Sync + 'static {
    /// Why the outcome of a crawl was not stored. Its lease then expires, and the source is crawled again.
    type Error: std::error::Error + Send + 'static;

    /// Reads a leased source, stores its items in transactions that each renew the lease, and stores the outcome with
    /// [`Schedule::end`]. `None` when the lease was lost.
    fn crawl(&self, lease: &Lease<Id>) -> impl Future<Output = Result<Option<EndedCrawl>, Self::Error>> + Send;
}

impl<Id: SourceId> Schedule<Id> {
    /// Runs the crawls that are due until the process stops, and then releases the leases of running ones.
    pub fn spawn(&self, context: &ServiceContext, crawler: &impl Crawl<Id>) {
        let (schedule, crawler) = (self.clone(), crawler.clone());
        context.tasks.spawn("crawling", move |stopped| schedule.clone().work(crawler.clone(), stopped));
    }

    async fn work(self, crawler: impl Crawl<Id>, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut crawls = JoinSet::new();
        while !stopped.is_cancelled() {
            if let Err(error) = self.report_successes().await {
                tracing::warn!(error = %ErrorChain(&error), "the last successes of sources could not be read");
            }
            while crawls.len() < MAX_CRAWLS {
                match self.claim().await {
                    Ok(Some(lease)) => {
                        crawls.spawn(self.clone().run(crawler.clone(), lease, stopped.clone()));
                    }
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(error = %ErrorChain(&error), "no source could be leased");
                        break;
                    }
                }
            }
            let pause = if crawls.len() < MAX_CRAWLS { self.pause().await } else { POLL_INTERVAL };
            tokio::select! {
                () = stopped.cancelled() => {}
                () = self.0.due.notified() => {}
                Some(ended) = crawls.join_next() => log_panic(ended),
                () = sleep(pause) => {}
            }
        }
        while let Some(ended) = crawls.join_next().await {
            log_panic(ended);
        }
        Ok(())
    }

    /// Runs one crawl until it ends or the process stops.
    async fn run(self, crawler: impl Crawl<Id>, lease: Lease<Id>, stopped: CancellationToken) {
        let began = Instant::now();
        tokio::select! {
            ended = crawler.crawl(&lease) => self.report(&lease, &ended, began.elapsed()),
            () = stopped.cancelled() => {
                if let Err(error) = self.release(&lease).await {
                    tracing::warn!(source = lease.name, error = %ErrorChain(&error), "a lease was not released");
                }
            }
        }
        self.0.ended.send_replace(());
    }

    /// The time until a source is due, at most the poll interval.
    async fn pause(&self) -> Duration {
        match self.next_due().await {
            Ok(Some(next)) => (next - self.0.clock.now()).to_std().unwrap_or_default().clamp(MIN_PAUSE, POLL_INTERVAL),
            _ => POLL_INTERVAL,
        }
    }

    /// Reports the last success of each source. A process that has not crawled it knows this from the table only.
    async fn report_successes(&self) -> Result<(), sqlx::Error> {
        let successes: Vec<(String, Option<DateTime<Utc>>)> =
            query_as(&self.0.sql.list_successes).fetch_all(&self.0.db).await?;
        let service = self.0.tables.schema;
        for (source, at) in successes {
            gauge!("crawl_interval_seconds", "service" => service, "source" => source.clone())
                .set(self.0.every.as_secs_f64());
            #[expect(clippy::cast_precision_loss, reason = "seconds of this century are exact in a double")]
            let at = at.map_or(0, |at| at.timestamp()) as f64;
            gauge!("crawl_last_success_timestamp_seconds", "service" => service, "source" => source).set(at);
        }
        Ok(())
    }

    /// Logs the outcome and updates the metrics.
    fn report<E: std::error::Error + 'static>(
        &self,
        lease: &Lease<Id>,
        ended: &Result<Option<EndedCrawl>, E>,
        took: Duration,
    ) {
        let outcome = match ended {
            Ok(Some(EndedCrawl { failure: Some(_), .. })) => "failed",
            Ok(Some(EndedCrawl { unchanged: true, .. })) => "unchanged",
            Ok(Some(_)) => "read",
            Ok(None) | Err(_) => "lost",
        };
        let service = self.0.tables.schema;
        let source = || lease.name.clone();
        counter!("crawls_total", "service" => service, "source" => source(), "outcome" => outcome).increment(1);
        let seconds = took.as_secs_f64();
        match ended {
            Ok(Some(EndedCrawl { found, new, failure, .. })) => {
                counter!("crawl_items_new_total", "service" => service, "source" => source())
                    .increment(u64::try_from(*new).unwrap_or_default());
                if let Some(failure) = failure {
                    tracing::warn!(source = lease.name, failure, found, new, seconds, "a crawl failed");
                    return;
                }
                tracing::info!(source = lease.name, outcome, found, new, seconds, "crawled");
            }
            Ok(None) => tracing::warn!(source = lease.name, seconds, "a crawl lost its lease"),
            Err(error) => {
                tracing::warn!(source = lease.name, error = %ErrorChain(error), "the outcome of a crawl was not stored");
            }
        }
    }
}

/// Describes the metrics of crawls.
pub(super) fn describe_metrics() {
    describe_counter!("crawls_total", "Crawls ended, by source and outcome");
    describe_counter!("crawl_items_new_total", "New items of crawls, by source");
    describe_gauge!("crawl_last_success_timestamp_seconds", "Unix time of the last successful crawl of a source, or 0");
    describe_gauge!("crawl_interval_seconds", "Configured interval between two crawls of a source");
}

/// Logs a crawl that panicked. Its lease expires, and the source is crawled again.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a crawl panicked");
    }
}
