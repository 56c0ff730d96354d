//! Reads the page of a link and its picture. Both are untrusted: crawler bounds requests and texts, picture-store the picture.

use std::{io::Read as _, time::Duration};

use bytes::Bytes;
use crawler::{
    fetch::{Document, Failure, FetchOutcome, Fetcher, Policy, Request},
    metadata::{self, Metadata},
};
use picture_store::{Owner, Picture, Pictures};
use url::Url;
use uuid::Uuid;

/// The longer side of a stored picture, in pixels.
const PICTURE_SIZE: u32 = 640;
/// Smaller pictures are icons, or pixels that count readers.
const MIN_SIZE: u32 = 80;

/// The result of reading a page.
pub enum Page {
    /// The page has a title.
    Described { metadata: Box<Metadata>, picture: Option<Picture> },
    /// The page gives no preview.
    Silent,
}

/// The page may be readable later.
pub struct TryLater {
    /// The delay that the server asks for.
    pub after: Option<Duration>,
}

/// Reads a page. The name of its picture depends on the `id` of the preview.
pub async fn read(fetcher: &Fetcher, pictures: &Pictures, id: Uuid, url: &str) -> Result<Page, TryLater> {
    let Ok(url) = Url::parse(url) else { return Ok(Page::Silent) };
    let page = match fetcher.fetch(&Request::new(url, "text/html,application/xhtml+xml"), &Policy::PAGE).await {
        Ok(FetchOutcome::Document(page)) => page,
        Ok(FetchOutcome::Unchanged) => return Ok(Page::Silent),
        Err(failure) => return failed(&failure),
    };
    if !matches!(page.media_type.as_deref(), None | Some("text/html" | "application/xhtml+xml")) {
        return Ok(Page::Silent);
    }
    // Parsing takes milliseconds for each megabyte.
    let parsed = tokio::task::spawn_blocking(move || parse(page)).await;
    let Some(metadata) = parsed.ok().flatten().filter(|found| !found.title.is_empty()) else {
        return Ok(Page::Silent);
    };
    let picture = match &metadata.picture {
        Some(address) => picture(fetcher, pictures, id, address.clone()).await?,
        None => None,
    };
    Ok(Page::Described { metadata: Box::new(metadata), picture })
}

fn parse(mut page: Document) -> Option<Metadata> {
    let mut bytes = Vec::new();
    page.body.read_to_end(&mut bytes).ok()?;
    Some(metadata::of_page(&bytes, page.charset.as_deref(), &page.url))
}

/// Reads the picture of a page, or returns `None` when it cannot be read: a preview needs no picture.
async fn picture(fetcher: &Fetcher, pictures: &Pictures, id: Uuid, mut url: Url) -> Result<Option<Picture>, TryLater> {
    if url.port().is_none() && url.set_scheme("https").is_err() {
        return Ok(None);
    }
    let Ok(FetchOutcome::Document(mut file)) =
        fetcher.fetch(&Request::new(url, "image/jpeg,image/png"), &Policy::PAGE).await
    else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    if file.body.read_to_end(&mut bytes).is_err() {
        return Ok(None);
    }
    // No member sent it, and few workers fetch pages.
    match pictures.prepare(Owner { service: "feed", id }, id, Bytes::from(bytes), PICTURE_SIZE).await {
        Ok(picture) => Ok((picture.width.min(picture.height) >= MIN_SIZE).then_some(picture)),
        Err(picture_store::Error::Busy) => Err(TryLater { after: None }),
        Err(_) => Ok(None),
    }
}

/// Distinguishes temporary failures from permanent ones.
fn failed(failure: &Failure) -> Result<Page, TryLater> {
    let later = match failure {
        Failure::Unknown
        | Failure::Unreachable
        | Failure::TimedOut
        | Failure::ConnectionClosed
        | Failure::Busy { .. }
        | Failure::Local => true,
        Failure::Status { status } => matches!(status, 408 | 425 | 429 | 500..),
        _ => false,
    };
    if later { Err(TryLater { after: failure.retry_after() }) } else { Ok(Page::Silent) }
}
