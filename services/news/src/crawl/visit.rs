//! One crawl of a source: fetch, read, and write in batches.

use crawler::fetch::{Failure, Fetched, Policy};
use primitives::error::ErrorChain;
use url::Url;

use super::{
    Shared,
    schedule::{self, CrawlOutcome, LeasedSource},
};
use crate::{
    connectors::{Connector, Item, deduplicate, demo, rss},
    error::Error,
    ingest,
};

/// Items per transaction.
const BATCH: usize = 100;

/// The result of fetching a source.
enum Fetch {
    Items { items: Vec<Item>, etag: Option<String>, last_modified: Option<String> },
    Unchanged,
}

/// Crawls a source; `None` when the lease was lost.
pub(super) async fn visit(shared: &Shared, source: &LeasedSource) -> Option<CrawlOutcome> {
    let fetch = match fetch(shared, source).await {
        Ok(fetch) => fetch,
        Err(outcome) => return Some(outcome),
    };
    let Fetch::Items { items, etag, last_modified } = fetch else {
        let (etag, last_modified) = (source.etag.clone(), source.last_modified.clone());
        return Some(CrawlOutcome { unchanged: true, etag, last_modified, ..CrawlOutcome::default() });
    };
    let items = ingest::retain_recent(deduplicate(items), shared.clock.now());
    let mut outcome = CrawlOutcome { etag, last_modified, ..CrawlOutcome::default() };
    for batch in items.chunks(BATCH) {
        match write_batch(shared, source, batch).await {
            Ok(Some(new)) => {
                outcome.found = outcome.found.saturating_add(i32::try_from(batch.len()).unwrap_or(i32::MAX));
                outcome.new = outcome.new.saturating_add(new);
            }
            Ok(None) => return None,
            // Counts as a failure of the source: otherwise its server would be asked again as soon as the lease ends.
            Err(error) => {
                tracing::warn!(source = source.id, error = %ErrorChain(&error), "the items of a crawl were not stored");
                outcome.failure = Some("Its stories could not be written down.".to_owned());
                break;
            }
        }
    }
    Some(outcome)
}

/// Writes a batch in its own transaction and returns the number of new articles; `None` when the lease was lost.
async fn write_batch(shared: &Shared, source: &LeasedSource, batch: &[Item]) -> Result<Option<i32>, Error> {
    let now = shared.clock.now();
    let mut tx = db::begin(&shared.db).await?;
    ingest::lock_articles(&mut tx).await?;
    if !schedule::renew(&mut tx, source, now).await? {
        return Ok(None);
    }
    let new = ingest::write_batch(&mut tx, &source.id, source.connector, batch, &shared.ids, now).await?;
    schedule::add_counts(&mut tx, source, i32::try_from(batch.len()).unwrap_or(i32::MAX), new).await?;
    tx.commit().await?;
    Ok(Some(new))
}

/// Fetches and reads a source. An error is the outcome of the crawl.
async fn fetch(shared: &Shared, source: &LeasedSource) -> Result<Fetch, CrawlOutcome> {
    let now = shared.clock.now();
    match source.connector {
        Connector::Demo => {
            let items = demo::read(now).map_err(|error| failed(&error))?;
            Ok(Fetch::Items { items, etag: None, last_modified: None })
        }
        Connector::Rss => {
            let url = Url::parse(&source.address).map_err(|_| failed(&"Its address cannot be read."))?;
            let request = rss::request(url, source.etag.clone(), source.last_modified.clone());
            let fetched = shared.fetcher.fetch(&request, &Policy::FEED).await.map_err(|failure| refused(&failure))?;
            let Fetched::Document(mut document) = fetched else { return Ok(Fetch::Unchanged) };
            let (etag, last_modified) = (document.etag.take(), document.last_modified.take());
            let read = tokio::task::spawn_blocking(move || rss::read(&mut document, now)).await;
            let items = read.map_err(|_| failed(&"It could not be read."))?.map_err(|error| failed(&error))?;
            Ok(Fetch::Items { items, etag, last_modified })
        }
    }
}

fn failed(why: &impl ToString) -> CrawlOutcome {
    CrawlOutcome { failure: Some(why.to_string()), ..CrawlOutcome::default() }
}

fn refused(failure: &Failure) -> CrawlOutcome {
    CrawlOutcome { retry_after: failure.retry_after(), ..failed(failure) }
}
