//! Crawls: due sources are fetched, read on a blocking thread, and stored in batches.
//!
//! Any replica may crawl a source; the lease in its row selects one. Every transaction of a crawl first renews the lease, so a
//! process that was suspended for longer writes nothing.

mod reading;
pub mod refresh;
mod worker;

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use crawler::fetch::{Failure, Fetched, Fetcher};
use db::begin;
use metrics::{counter, gauge};
use outbox::Outbox;
use primitives::{clock::Clock, error::ErrorChain, ids::Ids};
use sqlx::PgPool;
use tokio::sync::{Notify, watch};
use url::Url;
use uuid::Uuid;

use crate::{
    config::Settings,
    connectors::{Connector, UnreadableResponse},
    error::Error,
    expiry,
    ingest::{self, ParsedPosting, SeenPostings},
    sources::{self, ConfiguredSource, CrawlOutcome, LeasedSource},
};
use reading::{ResponseReader, Summary};

/// The most pages of a source.
const MAX_PAGES: u32 = 40;

/// The crawler of a process. Clones share it.
#[derive(Clone)]
pub struct Crawler {
    db: PgPool,
    clock: Clock,
    ids: Ids,
    outbox: Outbox,
    settings: Arc<Settings>,
    fetcher: Fetcher,
    wake: Arc<Notify>,
    /// Changes when a crawl of this process ends.
    ended: watch::Sender<()>,
}

/// Why a crawl stopped.
enum CrawlError {
    /// The lease was lost.
    LeaseLost,
    Database(Error),
    /// The source failed: the sentence for operators, and its `Retry-After`.
    Source(String, Option<Duration>),
}

impl From<sqlx::Error> for CrawlError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<Failure> for CrawlError {
    fn from(failure: Failure) -> Self {
        Self::Source(failure.to_string(), failure.retry_after())
    }
}

impl From<UnreadableResponse> for CrawlError {
    fn from(unreadable: UnreadableResponse) -> Self {
        Self::Source(unreadable.to_string(), None)
    }
}

/// The state of a running crawl.
#[derive(Default)]
struct Crawl {
    found: i32,
    seen: SeenPostings,
    /// Set when all pages were read: the crawl is complete back to this time.
    reach: Option<DateTime<Utc>>,
    unchanged: bool,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Crawler {
    /// Creates a crawler without starting it.
    ///
    /// # Errors
    /// When the HTTP client cannot be created, or a setting is invalid.
    pub fn new(
        context: &ServiceContext,
        db: &PgPool,
        outbox: &Outbox,
        settings: Settings,
        sources: &[ConfiguredSource],
    ) -> anyhow::Result<Self> {
        let hosts = sources.iter().filter_map(|source| host(&settings, source)).collect::<HashSet<_>>();
        let fetcher = Fetcher::new(settings.admitted()?, hosts).context("crawling")?;
        Ok(Self {
            db: db.clone(),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            outbox: outbox.clone(),
            settings: Arc::new(settings),
            fetcher,
            wake: Arc::default(),
            ended: watch::Sender::new(()),
        })
    }

    /// Starts the worker, which runs until the process stops.
    pub fn spawn(&self, context: &ServiceContext) {
        let crawler = self.clone();
        context.tasks.spawn("crawling", move |stopped| crawler.clone().run(stopped));
    }

    /// Makes the worker check for due sources now.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Changes when a crawl of this process ends.
    #[must_use]
    pub fn subscribe_to_ends(&self) -> watch::Receiver<()> {
        self.ended.subscribe()
    }

    /// Leases the source that has been due longest.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn claim(&self) -> Result<Option<LeasedSource>, Error> {
        let mut tx = begin(&self.db).await?;
        let claimed = sources::claim(&mut tx, &self.ids, self.clock.now()).await?;
        tx.commit().await?;
        Ok(claimed)
    }

    /// Crawls a leased source and stores the outcome.
    pub async fn crawl(&self, leased: &LeasedSource) {
        let began = Instant::now();
        let mut crawl = Crawl::default();
        let read = self.read(leased, &mut crawl).await;
        let ended = match read {
            Ok(()) => self.end(leased, crawl, None).await,
            Err(CrawlError::Source(why, retry_after)) => self.end(leased, crawl, Some((why, retry_after))).await,
            Err(CrawlError::Database(error)) => {
                tracing::warn!(source = leased.board.name, error = %ErrorChain(&error), "the items of a crawl were not stored");
                self.end(leased, crawl, Some(("What it found could not be kept.".to_owned(), None))).await
            }
            Err(CrawlError::LeaseLost) => Err(CrawlError::LeaseLost),
        };
        let outcome = match ended {
            Ok(outcome) => outcome,
            // The lease expires, and the source is crawled again.
            Err(CrawlError::LeaseLost) => "lost",
            Err(CrawlError::Database(error)) => {
                tracing::warn!(source = leased.board.name, error = %ErrorChain(&error), "the outcome of a crawl was not stored");
                "lost"
            }
            Err(CrawlError::Source(..)) => "failed",
        };
        tracing::info!(source = leased.board.name, outcome, seconds = began.elapsed().as_secs_f64(), "crawled");
        counter!("jobs_crawls_total", "source" => leased.board.name.clone(), "outcome" => outcome).increment(1);
        self.ended.send_replace(());
    }

    /// Fetches and stores page by page.
    async fn read(&self, leased: &LeasedSource, crawl: &mut Crawl) -> Result<(), CrawlError> {
        let connector = leased.connector;
        let mut summary = Summary::default();
        for page in 1..=MAX_PAGES {
            let response = match connector.request(&self.settings, &leased.board, page)? {
                None => None,
                Some(mut request) => {
                    // An unchanged page says nothing about other pages.
                    if connector != Connector::Usajobs {
                        (request.etag, request.last_modified) = (leased.etag.clone(), leased.last_modified.clone());
                    }
                    match self.fetcher.fetch(&request, &connector.policy()).await? {
                        Fetched::Unchanged => {
                            crawl.unchanged = true;
                            (crawl.etag, crawl.last_modified) = (leased.etag.clone(), leased.last_modified.clone());
                            return Ok(());
                        }
                        Fetched::Document(document) => Some(document),
                    }
                }
            };
            if let Some(document) = &response {
                (crawl.etag, crawl.last_modified) = (document.etag.clone(), document.last_modified.clone());
            }
            let mut reader = ResponseReader::start(leased, response, summary, self.clock.now());
            while let Some(batch) = reader.next().await {
                self.store(leased, batch, &mut crawl.seen, false).await?;
                if crawl.seen.undecided.len() >= ingest::BATCH {
                    self.store_undecided(leased, crawl).await?;
                }
            }
            let (page, so_far) = reader.finish().await;
            summary = so_far;
            crawl.found = summary.found();
            summary.check().map_err(|why| CrawlError::Source(why.to_owned(), None))?;
            let page = page?;
            if !page.more {
                self.store_undecided(leased, crawl).await?;
                crawl.reach = Some(page.reach);
                return Ok(());
            }
        }
        Err(CrawlError::Source("It has more pages than are read.".to_owned(), None))
    }

    /// Stores the postings that may have moved, now that the whole batch is known.
    async fn store_undecided(&self, leased: &LeasedSource, crawl: &mut Crawl) -> Result<(), CrawlError> {
        let undecided = std::mem::take(&mut crawl.seen.undecided);
        if undecided.is_empty() { Ok(()) } else { self.store(leased, undecided, &mut crawl.seen, true).await }
    }

    /// Stores a batch in its own transaction.
    async fn store(
        &self,
        leased: &LeasedSource,
        batch: Vec<ParsedPosting>,
        seen: &mut SeenPostings,
        is_last: bool,
    ) -> Result<(), CrawlError> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await.map_err(|error| CrawlError::Database(error.into()))?;
        if !sources::renew(&mut tx, leased, now).await? {
            return Err(CrawlError::LeaseLost);
        }
        let new = ingest::write_batch(&mut tx, &self.outbox, &self.ids, leased, batch, seen, is_last, now).await?;
        tx.commit().await?;
        let new = u64::try_from(new).unwrap_or_default();
        counter!("jobs_postings_new_total", "source" => leased.board.name.clone()).increment(new);
        Ok(())
    }

    /// The last transaction of a crawl: missed postings, the outcome, and the next due time.
    async fn end(
        &self,
        leased: &LeasedSource,
        crawl: Crawl,
        failed: Option<(String, Option<Duration>)>,
    ) -> Result<&'static str, CrawlError> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await.map_err(|error| CrawlError::Database(error.into()))?;
        if !sources::renew(&mut tx, leased, now).await? {
            return Err(CrawlError::LeaseLost);
        }
        let closed = if failed.is_some() {
            0
        } else if crawl.unchanged {
            expiry::repeat_misses(&mut tx, &self.outbox, leased, now).await?
        } else if let Some(reach) = crawl.reach {
            let seen: Vec<Uuid> = crawl.seen.ids.into_iter().collect();
            expiry::record_misses(&mut tx, &self.outbox, leased, &seen, reach, now).await?
        } else {
            0
        };
        let outcome = match (&failed, crawl.unchanged) {
            (Some(_), _) => "failed",
            (None, true) => "unchanged",
            (None, false) => "healthy",
        };
        let (failure, retry_after) = failed.unzip();
        let end = CrawlOutcome {
            found: crawl.found,
            closed,
            unchanged: crawl.unchanged,
            failure,
            retry_after: retry_after.flatten(),
            etag: crawl.etag,
            last_modified: crawl.last_modified,
        };
        sources::end(&mut tx, leased, &end, self.settings.every(), jitter(leased), now).await?;
        tx.commit().await?;
        if end.failure.is_none() {
            #[expect(clippy::cast_precision_loss, reason = "seconds of this century are exact in a double")]
            let seconds = now.timestamp() as f64;
            gauge!("jobs_last_success_timestamp_seconds", "source" => leased.board.name.clone()).set(seconds);
        }
        Ok(outcome)
    }
}

/// A number between 0 and 1 from the random bits of the id.
fn jitter(leased: &LeasedSource) -> f64 {
    let (_, low) = leased.crawl_id.as_u64_pair();
    f64::from(u16::try_from(low & 0xffff).unwrap_or_default()) / f64::from(u16::MAX)
}

/// The host of a source.
fn host(settings: &Settings, source: &ConfiguredSource) -> Option<String> {
    let of = |url: &Url| url.host_str().map(str::to_owned);
    match source.connector {
        Connector::Greenhouse => of(&settings.greenhouse_url),
        Connector::Lever => of(&settings.lever_url),
        Connector::Ashby => of(&settings.ashby_url),
        Connector::Usajobs => of(&settings.usajobs_url),
        Connector::Rss => Url::parse(&source.address).ok().as_ref().and_then(of),
        Connector::Demo => None,
    }
}
