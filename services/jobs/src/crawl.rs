//! Crawls: due sources are fetched, read on a blocking thread, and stored in batches.
//!
//! Every transaction of a crawl first renews the lease of its source (`crawler::schedule`).

mod reading;

use std::{collections::HashSet, sync::Arc};

use anyhow::Context as _;
use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use crawler::{
    fetch::{Failure, FetchOutcome, Fetcher},
    schedule::{self, CrawlFailure, EndedCrawl, Lease, Outcome, Schedule, Validators},
};
use db::begin;
use outbox::Changes;
use primitives::error::ErrorChain;
use sqlx::PgPool;
use url::Url;
use uuid::Uuid;

use crate::{
    config::Settings,
    connectors::{Connector, UnreadableResponse},
    derive::ParsedPosting,
    error::Error,
    expiry,
    ingest::{self, SeenPostings},
    sources::{ConfiguredSource, LeasedSource, TABLES},
};
use reading::{ResponseReader, Summary};

/// The most pages of a source.
const MAX_PAGES: u32 = 40;

/// The crawler of a process. Clones share it.
#[derive(Clone)]
pub struct Crawler {
    db: PgPool,
    changes: Changes,
    settings: Arc<Settings>,
    fetcher: Fetcher,
    /// The schedule of the sources.
    pub schedule: Schedule<Uuid>,
}

/// Why a crawl stopped.
enum CrawlError {
    LeaseLost,
    Database(Error),
    Source(CrawlFailure),
}

impl From<sqlx::Error> for CrawlError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<Failure> for CrawlError {
    fn from(failure: Failure) -> Self {
        Self::Source(failure.into())
    }
}

impl From<UnreadableResponse> for CrawlError {
    fn from(unreadable: UnreadableResponse) -> Self {
        Self::Source(CrawlFailure::new(unreadable.to_string()))
    }
}

/// The state of a running crawl.
#[derive(Default)]
struct Progress {
    found: i32,
    seen: SeenPostings,
    /// Set when all pages were read: the crawl is complete back to this time.
    reach: Option<DateTime<Utc>>,
    unchanged: bool,
    validators: Validators,
}

impl Crawler {
    /// Creates a crawler without starting it.
    ///
    /// # Errors
    /// When the HTTP client cannot be created, or a setting is invalid.
    pub fn new(
        context: &ServiceContext,
        db: &PgPool,
        changes: &Changes,
        settings: Settings,
        sources: &[ConfiguredSource],
    ) -> anyhow::Result<Self> {
        let hosts = sources.iter().filter_map(|source| host(&settings, source)).collect::<HashSet<_>>();
        let fetcher = Fetcher::new(settings.admitted()?, hosts).context("crawling")?;
        Ok(Self {
            db: db.clone(),
            changes: changes.clone(),
            schedule: Schedule::new(context, db, TABLES, settings.every()),
            settings: Arc::new(settings),
            fetcher,
        })
    }

    /// Fetches and stores page by page.
    async fn read(&self, leased: &LeasedSource, crawl: &mut Progress) -> Result<(), CrawlError> {
        let connector = leased.connector;
        let mut summary = Summary::default();
        for page in 1..=MAX_PAGES {
            let response = match connector.request(&self.settings, &leased.board, page)? {
                None => None,
                Some(mut request) => {
                    // An unchanged page says nothing about other pages.
                    if connector != Connector::Usajobs {
                        let Validators { etag, last_modified } = leased.lease.validators.clone();
                        (request.etag, request.last_modified) = (etag, last_modified);
                    }
                    match self.fetcher.fetch(&request, &connector.policy()).await? {
                        FetchOutcome::Unchanged => {
                            crawl.unchanged = true;
                            crawl.validators = leased.lease.validators.clone();
                            return Ok(());
                        }
                        FetchOutcome::Document(document) => Some(document),
                    }
                }
            };
            if let Some(document) = &response {
                let (etag, last_modified) = (document.etag.clone(), document.last_modified.clone());
                crawl.validators = Validators { etag, last_modified };
            }
            let mut reader = ResponseReader::start(leased, response, summary, self.changes.clock.now());
            while let Some(batch) = reader.next().await {
                self.store(leased, batch, &mut crawl.seen, false).await?;
                if crawl.seen.undecided.len() >= ingest::BATCH {
                    self.store_undecided(leased, crawl).await?;
                }
            }
            let (page, so_far) = reader.finish().await;
            summary = so_far;
            crawl.found = summary.found();
            summary.check().map_err(|why| CrawlError::Source(CrawlFailure::new(why)))?;
            let page = page?;
            if !page.more {
                self.store_undecided(leased, crawl).await?;
                crawl.reach = Some(page.reach);
                return Ok(());
            }
        }
        Err(CrawlError::Source(CrawlFailure::new("It has more pages than are read.")))
    }

    /// Stores the postings that may have moved, now that the whole batch is known.
    async fn store_undecided(&self, leased: &LeasedSource, crawl: &mut Progress) -> Result<(), CrawlError> {
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
        let mut tx = begin(&self.db).await.map_err(|error| CrawlError::Database(error.into()))?;
        let work = &mut self.changes.work(&mut tx);
        if !self.schedule.renew(work.db, &leased.lease, work.now).await? {
            return Err(CrawlError::LeaseLost);
        }
        let new = ingest::write_batch(work, leased, batch, seen, is_last).await?;
        self.schedule.add_counts(work.db, &leased.lease, 0, new).await?;
        tx.commit().await?;
        Ok(())
    }

    /// The last transaction of a crawl: missed postings, and the outcome.
    async fn end(
        &self,
        leased: &LeasedSource,
        crawl: Progress,
        failure: Option<CrawlFailure>,
    ) -> Result<Option<EndedCrawl>, Error> {
        let lease = &leased.lease;
        let mut tx = begin(&self.db).await?;
        let work = &mut self.changes.work(&mut tx);
        if !self.schedule.renew(work.db, lease, work.now).await? {
            return Ok(None);
        }
        let closed = if failure.is_some() {
            0
        } else if crawl.unchanged {
            expiry::repeat_misses(work, leased).await?
        } else if let Some(reach) = crawl.reach {
            let seen: Vec<Uuid> = crawl.seen.ids.into_iter().collect();
            expiry::record_misses(work, leased, &seen, reach).await?
        } else {
            0
        };
        sqlx::query!("update jobs.crawls set closed = $2 where id = $1", lease.crawl_id, closed)
            .execute(&mut *work.db)
            .await?;
        self.schedule.add_counts(work.db, lease, crawl.found, 0).await?;
        // A failed crawl may not have stored all items, so the next one is unconditional.
        let validators = if failure.is_some() { Validators::default() } else { crawl.validators };
        let outcome = Outcome { unchanged: crawl.unchanged, validators: Some(validators), failure };
        let ended = self.schedule.end(work.db, lease, outcome, work.now).await?;
        tx.commit().await?;
        Ok(ended)
    }
}

impl schedule::Crawl<Uuid> for Crawler {
    type Error = Error;

    async fn crawl(&self, lease: &Lease<Uuid>) -> Result<Option<EndedCrawl>, Error> {
        let Some(leased) = LeasedSource::new(lease.clone()) else { return Ok(None) };
        let mut crawl = Progress::default();
        let failure = match self.read(&leased, &mut crawl).await {
            Ok(()) => None,
            Err(CrawlError::LeaseLost) => return Ok(None),
            Err(CrawlError::Source(failure)) => Some(failure),
            Err(CrawlError::Database(error)) => {
                tracing::warn!(source = lease.name, error = %ErrorChain(&error), "the items of a crawl were not stored");
                Some(CrawlFailure::new("What it found could not be kept."))
            }
        };
        self.end(&leased, crawl, failure).await
    }
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
