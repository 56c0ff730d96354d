//! Crawls: due sources are fetched, read, and stored in batches.
//!
//! Every transaction of a crawl renews the lease of its source before it writes (`crawler::schedule`).

mod configured;

use chassis::ServiceContext;
use crawler::{
    fetch::{FetchOutcome, Fetcher, Policy},
    schedule::{self, CrawlFailure, EndedCrawl, Lease, Outcome, Schedule, Validators},
};
use outbox::Changes;
use primitives::error::ErrorChain;
use sqlx::PgPool;
use url::Url;

use crate::{
    config::CrawlPlan,
    connectors::{Connector, Item, deduplicate, demo, rss},
    error::Error,
    ingest::{self, Recognition},
    sources,
};
use configured::configure;

/// Items per transaction.
const BATCH: usize = 100;

/// The crawler of a process. Clones share it.
#[derive(Clone)]
pub struct Crawler {
    db: PgPool,
    changes: Changes,
    fetcher: Fetcher,
    pub schedule: Schedule<String>,
}

/// The response of a source.
enum Response {
    Items { items: Vec<Item>, validators: Validators },
    Unchanged,
}

impl Crawler {
    /// Applies the configured sources and creates a crawler without starting it.
    ///
    /// # Errors
    /// When the database is unavailable, or the HTTP client cannot be created.
    pub async fn prepare(
        context: &ServiceContext,
        db: &PgPool,
        changes: &Changes,
        plan: CrawlPlan,
    ) -> anyhow::Result<Self> {
        let CrawlPlan { feeds, every, admitted } = plan;
        let hosts: Vec<String> =
            feeds.iter().filter_map(|feed| Url::parse(&feed.address).ok()?.host_str().map(str::to_owned)).collect();
        let fetcher = Fetcher::new(admitted, hosts)?;
        db::at_start(|| async {
            let mut tx = db::begin(db).await?;
            configure(&mut tx, &feeds, every, context.clock.now()).await?;
            Ok(tx.commit().await?)
        })
        .await?;
        Ok(Self {
            db: db.clone(),
            changes: changes.clone(),
            fetcher,
            schedule: Schedule::new(context, db, sources::TABLES, every),
        })
    }

    /// Reads a source and stores its items; `None` when the lease was lost.
    async fn read(&self, lease: &Lease<String>) -> Option<Outcome> {
        let connector = Connector::from_name(&lease.connector);
        let (items, validators) = match self.fetch(lease, connector).await {
            Ok(Response::Items { items, validators }) => (items, validators),
            Ok(Response::Unchanged) => return Some(Outcome { unchanged: true, ..Outcome::default() }),
            Err(failure) => return Some(Outcome { failure: Some(failure), ..Outcome::default() }),
        };
        let items = ingest::retain_recent(deduplicate(items), self.changes.clock.now());
        match self.store_all(lease, connector, items).await {
            Ok(true) => Some(Outcome { validators: Some(validators), ..Outcome::default() }),
            Ok(false) => None,
            // This counts as a failure of the source: otherwise its server would be asked again as soon as the lease
            // ends. The stored validators stay, because not all items were stored.
            Err(error) => {
                tracing::warn!(source = lease.name, error = %ErrorChain(&error), "the items of a crawl were not stored");
                let failure = CrawlFailure::new("Its stories could not be written down.");
                Some(Outcome { failure: Some(failure), ..Outcome::default() })
            }
        }
    }

    /// Stores the items of a document in batches; `false` when the lease was lost.
    async fn store_all(
        &self,
        lease: &Lease<String>,
        connector: Connector,
        mut items: Vec<Item>,
    ) -> Result<bool, Error> {
        let mut db = db::acquire_at_primary(&self.db).await?;
        ingest::assume_times(&mut db, &lease.source_id, &mut items, self.changes.clock.now()).await?;
        drop(db);
        let mut recognition = Recognition::new(&lease.source_id, &items);
        for batch in items.chunks(BATCH) {
            if !self.store(lease, connector, batch, &mut recognition).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn fetch(&self, lease: &Lease<String>, connector: Connector) -> Result<Response, CrawlFailure> {
        let now = self.changes.clock.now();
        match connector {
            Connector::Demo => {
                let items = demo::read(now).map_err(|error| CrawlFailure::new(error.to_string()))?;
                Ok(Response::Items { items, validators: Validators::default() })
            }
            Connector::Rss => {
                let url = Url::parse(&lease.address).map_err(|_| CrawlFailure::new("Its address cannot be read."))?;
                let Validators { etag, last_modified } = lease.validators.clone();
                let request = rss::request(url, etag, last_modified);
                let FetchOutcome::Document(mut document) = self.fetcher.fetch(&request, &Policy::FEED).await? else {
                    return Ok(Response::Unchanged);
                };
                let validators =
                    Validators { etag: document.etag.take(), last_modified: document.last_modified.take() };
                let read = tokio::task::spawn_blocking(move || rss::read(&mut document, now)).await;
                let items = read
                    .map_err(|_| CrawlFailure::new("It could not be read."))?
                    .map_err(|error| CrawlFailure::new(error.to_string()))?;
                Ok(Response::Items { items, validators })
            }
        }
    }

    /// Stores a batch in its own transaction; `false` when the lease was lost.
    async fn store(
        &self,
        lease: &Lease<String>,
        connector: Connector,
        batch: &[Item],
        recognition: &mut Recognition,
    ) -> Result<bool, Error> {
        let mut tx = db::begin(&self.db).await?;
        let work = &mut self.changes.work(&mut tx);
        ingest::lock_articles(work.db).await?;
        if !self.schedule.renew(work.db, lease, work.now).await? {
            return Ok(false);
        }
        let new = ingest::write_batch(work, &lease.source_id, connector, batch, recognition).await?;
        let found = i32::try_from(batch.len()).unwrap_or(i32::MAX);
        self.schedule.add_counts(work.db, lease, found, new).await?;
        sources::add_total(work.db, &lease.source_id, new).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Deletes expired articles. A failure is logged; the next crawl tries again.
    async fn delete_expired(&self) {
        loop {
            match self.delete_expired_batch().await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    tracing::warn!(error = %ErrorChain(&error), "expired articles were not deleted");
                    return;
                }
            }
        }
    }

    /// Deletes a batch; `false` when there was none.
    async fn delete_expired_batch(&self) -> Result<bool, Error> {
        let mut tx = db::begin(&self.db).await?;
        let deleted = ingest::delete_expired(&mut tx, self.changes.clock.now()).await?;
        tx.commit().await?;
        Ok(deleted > 0)
    }
}

impl schedule::Crawl<String> for Crawler {
    type Error = Error;

    async fn crawl(&self, lease: &Lease<String>) -> Result<Option<EndedCrawl>, Error> {
        let Some(outcome) = self.read(lease).await else { return Ok(None) };
        if outcome.failure.is_none() {
            self.delete_expired().await;
        }
        let mut tx = db::begin(&self.db).await?;
        let ended = self.schedule.end(&mut tx, lease, outcome, self.changes.clock.now()).await?;
        tx.commit().await?;
        Ok(ended)
    }
}
