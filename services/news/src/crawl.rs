//! Crawls of the sources: a worker that runs those that are due, and refreshes on request.

mod configure;
mod refresh;
mod schedule;
mod visit;

use std::{sync::Arc, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use crawler::{fetch::Fetcher, pace};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgPool;
use tokio::{
    sync::{Mutex, Notify},
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use self::schedule::{CrawlOutcome, LeasedSource};
use crate::{config::CrawlPlan, error::Error, ingest};

/// Concurrent crawls in one process.
const MAX_CRAWLS: usize = 4;
/// The poll interval, after which a source that another process made due is noticed.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How often a refresh polls crawls of other processes.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The crawler of a process. Clones share it.
#[derive(Clone)]
pub struct Crawler(Arc<Shared>);

struct Shared {
    db: PgPool,
    clock: Clock,
    ids: Ids,
    fetcher: Fetcher,
    every: Duration,
    /// A source became due.
    due: Notify,
    /// A crawl of this process ended.
    ended: Notify,
    /// The start of the last refresh of this process, which saves a query within the cooldown.
    refreshed: Mutex<Option<DateTime<Utc>>>,
}

impl Crawler {
    /// Applies the configured sources.
    ///
    /// # Errors
    /// When the database is unavailable, or the HTTP client cannot be created.
    pub async fn prepare(context: &ServiceContext, db: &PgPool, plan: CrawlPlan) -> anyhow::Result<Self> {
        let CrawlPlan { feeds, every, admitted } = plan;
        let hosts: Vec<String> =
            feeds.iter().filter_map(|feed| Url::parse(&feed.address).ok()?.host_str().map(str::to_owned)).collect();
        let fetcher = Fetcher::new(admitted, hosts)?;
        let mut tx = db::begin(db).await?;
        configure::configure(&mut tx, &feeds, every, context.clock.now()).await?;
        tx.commit().await?;
        describe_counter!("crawls_total", "Crawls ended, by source and outcome");
        describe_counter!("crawl_items_new_total", "New items of crawls, by source");
        describe_gauge!("crawl_last_success_timestamp_seconds", "Unix time of the last successful crawl of a source");
        Ok(Self(Arc::new(Shared {
            db: db.clone(),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            fetcher,
            every,
            due: Notify::new(),
            ended: Notify::new(),
            refreshed: Mutex::new(None),
        })))
    }

    /// Runs the crawls that are due until the process stops, which releases the leases of running ones.
    pub fn spawn(&self, context: &ServiceContext) {
        let crawler = self.clone();
        context.tasks.spawn("crawling", move |stopped| crawler.clone().run(stopped));
    }

    async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut crawls = JoinSet::new();
        loop {
            while crawls.len() < MAX_CRAWLS
                && !stopped.is_cancelled()
                && let Some(source) = self.claim().await?
            {
                let (crawler, stopped) = (self.clone(), stopped.clone());
                crawls.spawn(async move { crawler.crawl(&source, stopped).await });
            }
            let delay = if crawls.len() < MAX_CRAWLS { self.delay().await? } else { POLL_INTERVAL };
            tokio::select! {
                () = stopped.cancelled() => break,
                Some(ended) = crawls.join_next() => log_failure(ended),
                () = self.0.due.notified() => {}
                () = sleep(delay) => {}
            }
        }
        while let Some(ended) = crawls.join_next().await {
            log_failure(ended);
        }
        Ok(())
    }

    /// Leases the next source that is due.
    async fn claim(&self) -> Result<Option<LeasedSource>, Error> {
        let mut tx = db::begin(&self.0.db).await?;
        let claimed = schedule::claim(&mut tx, self.0.ids.new_owner(), self.0.clock.now()).await?;
        tx.commit().await?;
        Ok(claimed)
    }

    /// The time until a source is due, at most the poll interval.
    async fn delay(&self) -> Result<Duration, Error> {
        let mut db = self.0.db.acquire().await?;
        let next = schedule::next_due(&mut db).await?;
        let delay = next.map_or(POLL_INTERVAL, |next| (next - self.0.clock.now()).to_std().unwrap_or_default());
        // The minimum applies when another process is about to lease a due source.
        Ok(delay.clamp(PROGRESS_INTERVAL, POLL_INTERVAL))
    }

    /// Runs one crawl until it ends or the process stops.
    async fn crawl(&self, source: &LeasedSource, stopped: CancellationToken) -> Result<(), Error> {
        let ended = tokio::select! {
            ended = self.visit(source) => ended,
            () = stopped.cancelled() => {
                let mut db = self.0.db.acquire().await?;
                return Ok(schedule::release(&mut db, source).await?);
            }
        };
        self.0.ended.notify_one();
        ended
    }

    async fn visit(&self, source: &LeasedSource) -> Result<(), Error> {
        let shared = &self.0;
        let Some(outcome) = visit::visit(shared, source).await else { return Ok(()) };
        if outcome.failure.is_none() {
            delete_expired(shared).await;
        }
        let now = shared.clock.now();
        let failures = if outcome.failure.is_some() { source.failures.saturating_add(1).unsigned_abs() } else { 0 };
        let due_at = pace::next(now, shared.every, failures, outcome.retry_after, jitter(source.crawl));
        let mut tx = db::begin(&shared.db).await?;
        let ended = schedule::end(&mut tx, source, &outcome, due_at, now).await?;
        tx.commit().await?;
        if ended {
            report(source, &outcome, now);
        }
        Ok(())
    }

    /// Makes all sources due unless a refresh began within the last minute, waits for their crawls at most until `until`, and
    /// returns the number of new articles.
    pub async fn refresh(&self, until: Instant) -> Result<i32, Error> {
        let shared = &self.0;
        // Another request is beginning a refresh.
        let Ok(mut refreshed) = shared.refreshed.try_lock() else { return Ok(0) };
        let now = shared.clock.now();
        if refreshed.is_some_and(|at| now - at < refresh::COOLDOWN) {
            return Ok(0);
        }
        let mut tx = db::begin(&shared.db).await?;
        let refresh = refresh::begin(&mut tx, now).await?;
        tx.commit().await?;
        let Some(refresh) = refresh else { return Ok(0) };
        *refreshed = Some(now);
        drop(refreshed);
        shared.due.notify_one();
        loop {
            let progress = {
                let mut db = shared.db.acquire().await?;
                refresh::get_progress(&mut db, &refresh, shared.clock.now()).await?
            };
            if !progress.is_busy || Instant::now() >= until {
                return Ok(progress.new);
            }
            tokio::select! {
                () = shared.ended.notified() => {}
                () = sleep(PROGRESS_INTERVAL) => {}
                () = sleep_until(until) => {}
            }
        }
    }
}

/// Deletes expired articles. A failure is logged; the next crawl tries again.
async fn delete_expired(shared: &Shared) {
    loop {
        match delete_expired_batch(shared).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(error = %primitives::error::ErrorChain(&error), "expired articles were not deleted");
                return;
            }
        }
    }
}

/// Deletes a batch; `false` when there was none.
async fn delete_expired_batch(shared: &Shared) -> Result<bool, Error> {
    let mut tx = db::begin(&shared.db).await?;
    let deleted = ingest::delete_expired(&mut tx, shared.clock.now()).await?;
    tx.commit().await?;
    Ok(deleted > 0)
}

/// A number between 0 and 1 from the random bits of the id, which tests control.
fn jitter(crawl: Uuid) -> f64 {
    let bits = u16::try_from((crawl.as_u128() >> 16) & 0xffff).unwrap_or_default();
    f64::from(bits) / f64::from(u16::MAX)
}

/// Logs a crawl whose outcome was not stored. Its lease expires, and the source is crawled again.
fn log_failure(ended: Result<Result<(), Error>, tokio::task::JoinError>) {
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %primitives::error::ErrorChain(&error), "the outcome of a crawl was not stored")
        }
        Err(error) => tracing::error!(%error, "a crawl panicked"),
    }
}

/// Logs the outcome and updates the metrics.
fn report(source: &LeasedSource, outcome: &CrawlOutcome, now: DateTime<Utc>) {
    let result = match (&outcome.failure, outcome.unchanged) {
        (Some(_), _) => "failed",
        (None, true) => "unchanged",
        (None, false) => "read",
    };
    let of = || source.id.clone();
    counter!("crawls_total", "service" => "news", "source" => of(), "outcome" => result).increment(1);
    counter!("crawl_items_new_total", "service" => "news", "source" => of())
        .increment(u64::try_from(outcome.new).unwrap_or_default());
    if let Some(failure) = &outcome.failure {
        tracing::warn!(source = source.id, failure, "a crawl failed");
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
    let at = now.timestamp() as f64;
    gauge!("crawl_last_success_timestamp_seconds", "service" => "news", "source" => of()).set(at);
    tracing::info!(source = source.id, outcome = result, found = outcome.found, new = outcome.new, "crawled");
}
