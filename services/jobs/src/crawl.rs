//! The crawls: who is due is asked, what comes is read beside the runtime and taken in by the hundred.
//!
//! Any replica may crawl any source; the lease in its row sees to it that one does. Each transaction of a crawl begins by
//! holding its source, so whoever was stopped for longer than the lease finds out before it writes.

mod reading;
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
    closing,
    config::Settings,
    connectors::{Connector, Unreadable},
    error::Error,
    ingest::{self, Seen},
    sources::{self, Configured, Ended, Leased},
};
use reading::{Reading, Summary};

/// No source is asked for more pages.
const MOST_PAGES: u32 = 40;

/// Crawls sources. Clones share the work.
#[derive(Clone)]
pub struct Crawler {
    db: PgPool,
    clock: Clock,
    ids: Ids,
    outbox: Outbox,
    settings: Arc<Settings>,
    fetcher: Fetcher,
    wake: Arc<Notify>,
    /// Changes whenever a crawl has ended here.
    ended: watch::Sender<()>,
}

/// How a crawl broke off.
enum Broken {
    /// Somebody else has the source.
    Lost,
    /// Our own database.
    Database(Error),
    /// The source.
    Failed(String, Option<Duration>),
}

impl From<sqlx::Error> for Broken {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure.to_string(), failure.retry_after())
    }
}

impl From<Unreadable> for Broken {
    fn from(unreadable: Unreadable) -> Self {
        Self::Failed(unreadable.to_string(), None)
    }
}

/// What a crawl has come to know so far.
#[derive(Default)]
struct Crawl {
    found: i32,
    seen: Seen,
    /// The answer was read to its end; since when it tells of everything.
    reach: Option<DateTime<Utc>>,
    unchanged: bool,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl Crawler {
    /// A crawler for these sources; nobody is asked yet.
    ///
    /// # Errors
    /// When the HTTP client cannot be made, or a setting is wrong.
    pub fn new(
        context: &ServiceContext,
        db: &PgPool,
        outbox: &Outbox,
        settings: Settings,
        sources: &[Configured],
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

    /// Has the worker look now who is due.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Told whenever a crawl of this process has ended.
    #[must_use]
    pub fn ends(&self) -> watch::Receiver<()> {
        self.ended.subscribe()
    }

    /// Takes on the source that is due the longest.
    ///
    /// # Errors
    /// When the database is away.
    pub async fn claim(&self) -> Result<Option<Leased>, Error> {
        let mut tx = begin(&self.db).await?;
        let claimed = sources::claim(&mut tx, &self.ids, self.clock.now()).await?;
        tx.commit().await?;
        Ok(claimed)
    }

    /// Crawls a source that was claimed, and writes down how that ended.
    pub async fn crawl(&self, leased: &Leased) {
        let began = Instant::now();
        let mut crawl = Crawl::default();
        let read = self.read(leased, &mut crawl).await;
        let ended = match read {
            Ok(()) => self.end(leased, crawl, None).await,
            Err(Broken::Failed(why, retry_after)) => self.end(leased, crawl, Some((why, retry_after))).await,
            Err(Broken::Database(error)) => {
                tracing::warn!(source = leased.board.name, error = %ErrorChain(&error), "a crawl could not be kept");
                self.end(leased, crawl, Some(("What it found could not be kept.".to_owned(), None))).await
            }
            Err(Broken::Lost) => Err(Broken::Lost),
        };
        let outcome = match ended {
            Ok(outcome) => outcome,
            // Its lease ends by itself, and somebody crawls it anew.
            Err(Broken::Lost) => "lost",
            Err(Broken::Database(error)) => {
                tracing::warn!(source = leased.board.name, error = %ErrorChain(&error), "a crawl's end could not be kept");
                "lost"
            }
            Err(Broken::Failed(..)) => "failed",
        };
        tracing::info!(source = leased.board.name, outcome, seconds = began.elapsed().as_secs_f64(), "crawled");
        counter!("jobs_crawls_total", "source" => leased.board.name.clone(), "outcome" => outcome).increment(1);
        self.ended.send_replace(());
    }

    /// Asks page after page, and takes in what comes.
    async fn read(&self, leased: &Leased, crawl: &mut Crawl) -> Result<(), Broken> {
        let connector = leased.connector;
        let mut summary = Summary::default();
        for page in 1..=MOST_PAGES {
            let answer = match connector.ask(&self.settings, &leased.board, page)? {
                None => None,
                Some(mut ask) => {
                    // Of several pages, one that is unchanged says nothing of the others.
                    if connector != Connector::Usajobs {
                        (ask.etag, ask.last_modified) = (leased.etag.clone(), leased.last_modified.clone());
                    }
                    match self.fetcher.fetch(&ask, &connector.policy()).await? {
                        Fetched::Unchanged => {
                            crawl.unchanged = true;
                            (crawl.etag, crawl.last_modified) = (leased.etag.clone(), leased.last_modified.clone());
                            return Ok(());
                        }
                        Fetched::Document(document) => Some(document),
                    }
                }
            };
            if let Some(document) = &answer {
                (crawl.etag, crawl.last_modified) = (document.etag.clone(), document.last_modified.clone());
            }
            let mut reading = Reading::begin(leased, answer, summary, self.clock.now());
            while let Some(batch) = reading.next().await {
                self.take_in(leased, batch, &mut crawl.seen, false).await?;
                if crawl.seen.undecided.len() >= ingest::BATCH {
                    self.decide(leased, crawl).await?;
                }
            }
            let (page, so_far) = reading.end().await;
            summary = so_far;
            crawl.found = summary.found();
            summary.verdict().map_err(|why| Broken::Failed(why.to_owned(), None))?;
            let page = page?;
            if !page.more {
                self.decide(leased, crawl).await?;
                crawl.reach = Some(page.reach);
                return Ok(());
            }
        }
        Err(Broken::Failed("It has more pages than are read.".to_owned(), None))
    }

    /// Decides about what may have moved by what was told until now.
    async fn decide(&self, leased: &Leased, crawl: &mut Crawl) -> Result<(), Broken> {
        let undecided = std::mem::take(&mut crawl.seen.undecided);
        if undecided.is_empty() { Ok(()) } else { self.take_in(leased, undecided, &mut crawl.seen, true).await }
    }

    /// One transaction of a crawl.
    async fn take_in(
        &self,
        leased: &Leased,
        batch: Vec<ingest::Found>,
        seen: &mut Seen,
        is_last: bool,
    ) -> Result<(), Broken> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await.map_err(|error| Broken::Database(error.into()))?;
        if !sources::hold(&mut tx, leased, now).await? {
            return Err(Broken::Lost);
        }
        let new = ingest::batch(&mut tx, &self.outbox, &self.ids, leased, batch, seen, is_last, now).await?;
        tx.commit().await?;
        let new = u64::try_from(new).unwrap_or_default();
        counter!("jobs_postings_new_total", "source" => leased.board.name.clone()).increment(new);
        Ok(())
    }

    /// The last transaction of a crawl: what it missed, how it ended, and when the source is due again.
    async fn end(
        &self,
        leased: &Leased,
        crawl: Crawl,
        failed: Option<(String, Option<Duration>)>,
    ) -> Result<&'static str, Broken> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await.map_err(|error| Broken::Database(error.into()))?;
        if !sources::hold(&mut tx, leased, now).await? {
            return Err(Broken::Lost);
        }
        let closed = if failed.is_some() {
            0
        } else if crawl.unchanged {
            closing::miss_again(&mut tx, &self.outbox, leased, now).await?
        } else if let Some(reach) = crawl.reach {
            let seen: Vec<Uuid> = crawl.seen.ids.into_iter().collect();
            closing::miss(&mut tx, &self.outbox, leased, &seen, reach, now).await?
        } else {
            0
        };
        let outcome = match (&failed, crawl.unchanged) {
            (Some(_), _) => "failed",
            (None, true) => "unchanged",
            (None, false) => "healthy",
        };
        let (failure, retry_after) = failed.unzip();
        let ended = Ended {
            found: crawl.found,
            closed,
            unchanged: crawl.unchanged,
            failure,
            retry_after: retry_after.flatten(),
            etag: crawl.etag,
            last_modified: crawl.last_modified,
        };
        sources::end(&mut tx, leased, &ended, self.settings.every(), jitter(leased), now).await?;
        tx.commit().await?;
        if ended.failure.is_none() {
            // For `time() - ..`: how long ago that was.
            #[expect(clippy::cast_precision_loss, reason = "seconds of this century are exact in a double")]
            let seconds = now.timestamp() as f64;
            gauge!("jobs_last_success_timestamp_seconds", "source" => leased.board.name.clone()).set(seconds);
        }
        Ok(outcome)
    }
}

/// Chance, which the crawl's id has enough of: 0 to 1.
fn jitter(leased: &Leased) -> f64 {
    let (_, low) = leased.crawl_id.as_u64_pair();
    f64::from(u16::try_from(low & 0xffff).unwrap_or_default()) / f64::from(u16::MAX)
}

/// The host a source is asked at.
fn host(settings: &Settings, source: &Configured) -> Option<String> {
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
