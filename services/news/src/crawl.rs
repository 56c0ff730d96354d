//! Reading the sources: which are due, one crawl from the question to the last row, and whoever cannot wait.

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

use self::schedule::{Claimed, Ending};
use crate::{config::Plan, error::Error, ingest};

/// Crawls at once in one process.
const AT_ONCE: usize = 4;
/// How long a process may not notice that another one made a source due.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How often a refresh looks whether other processes are done; one's own tell.
const WAIT: Duration = Duration::from_millis(100);

/// Crawls. Clones share the work.
#[derive(Clone)]
pub struct Crawler(Arc<Shared>);

struct Shared {
    db: PgPool,
    clock: Clock,
    ids: Ids,
    fetcher: Fetcher,
    every: Duration,
    /// Something is due now.
    due: Notify,
    /// A crawl has ended here.
    ended: Notify,
    /// When the last refresh that is known of here began: whoever asks again within the minute need not ask Postgres.
    refreshed: Mutex<Option<DateTime<Utc>>>,
}

impl Crawler {
    /// Brings the sources in line with the configuration.
    ///
    /// # Errors
    /// When the database is away, or this machine can ask nobody.
    pub async fn prepare(context: &ServiceContext, pool: &PgPool, plan: Plan) -> anyhow::Result<Self> {
        let Plan { feeds, every, admitted } = plan;
        let hosts: Vec<String> =
            feeds.iter().filter_map(|feed| Url::parse(&feed.address).ok()?.host_str().map(str::to_owned)).collect();
        let fetcher = Fetcher::new(admitted, hosts)?;
        let mut tx = db::begin(pool).await?;
        configure::configure(&mut tx, &feeds, every, context.clock.now()).await?;
        tx.commit().await?;
        describe_counter!("crawls_total", "Crawls ended, by source and outcome");
        describe_counter!("crawl_items_new_total", "Items crawls found that were not known, by source");
        describe_gauge!("crawl_last_success_timestamp_seconds", "When a source was last crawled well, as Unix time");
        Ok(Self(Arc::new(Shared {
            db: pool.clone(),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            fetcher,
            every,
            due: Notify::new(),
            ended: Notify::new(),
            refreshed: Mutex::new(None),
        })))
    }

    /// Crawls what is due until the process stops. What runs then is given back, and begins anew elsewhere.
    pub fn work(&self, context: &ServiceContext) {
        let crawler = self.clone();
        context.tasks.spawn("crawling", move |stopped| crawler.clone().run(stopped));
    }

    async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut crawls = JoinSet::new();
        loop {
            while crawls.len() < AT_ONCE
                && !stopped.is_cancelled()
                && let Some(source) = self.claim().await?
            {
                let (crawler, stopped) = (self.clone(), stopped.clone());
                crawls.spawn(async move { crawler.crawl(&source, stopped).await });
            }
            let rest = if crawls.len() < AT_ONCE { self.rest().await? } else { LOOK_EVERY };
            tokio::select! {
                () = stopped.cancelled() => break,
                Some(ended) = crawls.join_next() => note(ended),
                () = self.0.due.notified() => {}
                () = sleep(rest) => {}
            }
        }
        while let Some(ended) = crawls.join_next().await {
            note(ended);
        }
        Ok(())
    }

    /// The next source that is due, held for a crawl.
    async fn claim(&self) -> Result<Option<Claimed>, Error> {
        let mut tx = db::begin(&self.0.db).await?;
        let claimed = schedule::claim(&mut tx, self.0.ids.new_owner(), self.0.clock.now()).await?;
        tx.commit().await?;
        Ok(claimed)
    }

    /// How long nothing here is due.
    async fn rest(&self) -> Result<Duration, Error> {
        let mut db = self.0.db.acquire().await?;
        let next = schedule::next_due(&mut db).await?;
        let rest = next.map_or(LOOK_EVERY, |next| (next - self.0.clock.now()).to_std().unwrap_or_default());
        // Even what is due has been looked for just now: whoever holds it needs a moment.
        Ok(rest.clamp(WAIT, LOOK_EVERY))
    }

    /// One crawl, to its end or the process's.
    async fn crawl(&self, source: &Claimed, stopped: CancellationToken) -> Result<(), Error> {
        let ended = tokio::select! {
            ended = self.visit(source) => ended,
            () = stopped.cancelled() => {
                let mut db = self.0.db.acquire().await?;
                return Ok(schedule::give_back(&mut db, source).await?);
            }
        };
        self.0.ended.notify_one();
        ended
    }

    async fn visit(&self, source: &Claimed) -> Result<(), Error> {
        let shared = &self.0;
        let Some(ending) = visit::visit(shared, source).await else { return Ok(()) };
        if ending.failure.is_none() {
            expire(shared).await;
        }
        let now = shared.clock.now();
        let failures = if ending.failure.is_some() { source.failures.saturating_add(1).unsigned_abs() } else { 0 };
        let due_at = pace::next(now, shared.every, failures, ending.retry_after, lot(source.crawl));
        let mut tx = db::begin(&shared.db).await?;
        let ended = schedule::end(&mut tx, source, &ending, due_at, now).await?;
        tx.commit().await?;
        if ended {
            tell(source, &ending, now);
        }
        Ok(())
    }

    /// Has every real source crawled now, unless somebody asked for it within the last minute, and waits for it until
    /// `until`. How many articles nobody knew before.
    ///
    /// # Errors
    /// When the database is away.
    pub async fn refresh(&self, until: Instant) -> Result<i32, Error> {
        let shared = &self.0;
        // Whoever comes while another one asks comes second.
        let Ok(mut refreshed) = shared.refreshed.try_lock() else { return Ok(0) };
        let now = shared.clock.now();
        if refreshed.is_some_and(|at| now - at < refresh::COOLDOWN) {
            return Ok(0);
        }
        let mut tx = db::begin(&shared.db).await?;
        let asked = refresh::ask(&mut tx, now).await?;
        tx.commit().await?;
        let Some(asked) = asked else { return Ok(0) };
        *refreshed = Some(now);
        drop(refreshed);
        shared.due.notify_one();
        loop {
            let progress = {
                let mut db = shared.db.acquire().await?;
                refresh::look(&mut db, &asked, shared.clock.now()).await?
            };
            if !progress.is_busy || Instant::now() >= until {
                return Ok(progress.new);
            }
            tokio::select! {
                () = shared.ended.notified() => {}
                () = sleep(WAIT) => {}
                () = sleep_until(until) => {}
            }
        }
    }
}

/// Lets what is too old go. What stays by accident goes after the next crawl, and is no fault of this one.
async fn expire(shared: &Shared) {
    loop {
        match expire_some(shared).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(error = %primitives::error::ErrorChain(&error), "old articles were not let go");
                return;
            }
        }
    }
}

/// Lets some of it go, and says whether there was any.
async fn expire_some(shared: &Shared) -> Result<bool, Error> {
    let mut tx = db::begin(&shared.db).await?;
    let gone = ingest::expire(&mut tx, shared.clock.now()).await?;
    tx.commit().await?;
    Ok(gone > 0)
}

/// A lot between 0 and 1: ids are drawn by chance already, in production and in tests' own way.
fn lot(crawl: Uuid) -> f64 {
    let drawn = u16::try_from((crawl.as_u128() >> 16) & 0xffff).unwrap_or_default();
    f64::from(drawn) / f64::from(u16::MAX)
}

/// A crawl that could not even be written down: its lease runs out, and it begins anew.
fn note(ended: Result<Result<(), Error>, tokio::task::JoinError>) {
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %primitives::error::ErrorChain(&error), "a crawl was not written down")
        }
        Err(error) => tracing::error!(%error, "a crawl panicked"),
    }
}

/// Tells operators how it went.
fn tell(source: &Claimed, ending: &Ending, now: DateTime<Utc>) {
    let outcome = match (&ending.failure, ending.unchanged) {
        (Some(_), _) => "failed",
        (None, true) => "unchanged",
        (None, false) => "read",
    };
    let of = || source.id.clone();
    counter!("crawls_total", "service" => "news", "source" => of(), "outcome" => outcome).increment(1);
    counter!("crawl_items_new_total", "service" => "news", "source" => of())
        .increment(u64::try_from(ending.new).unwrap_or_default());
    if let Some(failure) = &ending.failure {
        tracing::warn!(source = source.id, failure, "a crawl failed");
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
    let at = now.timestamp() as f64;
    gauge!("crawl_last_success_timestamp_seconds", "service" => "news", "source" => of()).set(at);
    tracing::info!(source = source.id, outcome, found = ending.found, new = ending.new, "crawled");
}
