//! One crawl: ask, read, write a hundred stories at a time.

use crawler::fetch::{Failure, Fetched, Policy};
use primitives::error::ErrorChain;
use url::Url;

use super::{
    Shared,
    schedule::{self, Claimed, Ending},
};
use crate::{
    connectors::{Connector, Item, demo, each_once, rss},
    error::Error,
    ingest,
};

/// Stories a transaction writes.
const BATCH: usize = 100;

/// What a source had to say.
enum Told {
    Stories { items: Vec<Item>, etag: Option<String>, last_modified: Option<String> },
    Unchanged,
}

/// How it ended; `None` when another crawl has taken its place meanwhile.
pub(super) async fn visit(shared: &Shared, source: &Claimed) -> Option<Ending> {
    let told = match ask(shared, source).await {
        Ok(told) => told,
        Err(ending) => return Some(ending),
    };
    let Told::Stories { items, etag, last_modified } = told else {
        let (etag, last_modified) = (source.etag.clone(), source.last_modified.clone());
        return Some(Ending { unchanged: true, etag, last_modified, ..Ending::default() });
    };
    let items = ingest::worth_keeping(each_once(items), shared.clock.now());
    let mut ending = Ending { etag, last_modified, ..Ending::default() };
    for batch in items.chunks(BATCH) {
        match write(shared, source, batch).await {
            Ok(Some(new)) => {
                ending.found = ending.found.saturating_add(i32::try_from(batch.len()).unwrap_or(i32::MAX));
                ending.new = ending.new.saturating_add(new);
            }
            Ok(None) => return None,
            // A source whose stories the database refuses is left alone like one that fails: otherwise its server would be
            // asked again as soon as the lease is over, and again.
            Err(error) => {
                tracing::warn!(source = source.id, error = %ErrorChain(&error), "stories were not written down");
                ending.failure = Some("Its stories could not be written down.".to_owned());
                break;
            }
        }
    }
    Some(ending)
}

/// A batch, in a transaction of its own; how many were new, or `None` when the lease is another's.
async fn write(shared: &Shared, source: &Claimed, batch: &[Item]) -> Result<Option<i32>, Error> {
    let now = shared.clock.now();
    let mut tx = db::begin(&shared.db).await?;
    ingest::take_pen(&mut tx).await?;
    if !schedule::renew(&mut tx, source, now).await? {
        return Ok(None);
    }
    let new = ingest::write(&mut tx, &source.id, source.connector, batch, &shared.ids, now).await?;
    schedule::count(&mut tx, source, i32::try_from(batch.len()).unwrap_or(i32::MAX), new).await?;
    tx.commit().await?;
    Ok(Some(new))
}

/// What the source tells, or how the crawl ends because it does not.
async fn ask(shared: &Shared, source: &Claimed) -> Result<Told, Ending> {
    let now = shared.clock.now();
    match source.connector {
        Connector::Demo => {
            let items = demo::read(now).map_err(|error| failed(&error))?;
            Ok(Told::Stories { items, etag: None, last_modified: None })
        }
        Connector::Rss => {
            let url = Url::parse(&source.address).map_err(|_| failed(&"Its address cannot be read."))?;
            let ask = rss::ask(url, source.etag.clone(), source.last_modified.clone());
            let fetched = shared.fetcher.fetch(&ask, &Policy::FEED).await.map_err(|failure| refused(&failure))?;
            let Fetched::Document(mut document) = fetched else { return Ok(Told::Unchanged) };
            let (etag, last_modified) = (document.etag.take(), document.last_modified.take());
            let read = tokio::task::spawn_blocking(move || rss::read(&mut document, now)).await;
            let items = read.map_err(|_| failed(&"It could not be read."))?.map_err(|error| failed(&error))?;
            Ok(Told::Stories { items, etag, last_modified })
        }
    }
}

fn failed(why: &impl ToString) -> Ending {
    Ending { failure: Some(why.to_string()), ..Ending::default() }
}

fn refused(failure: &Failure) -> Ending {
    Ending { retry_after: failure.retry_after(), ..failed(failure) }
}
