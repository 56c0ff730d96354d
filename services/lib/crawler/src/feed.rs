//! RSS and Atom feeds. `measure` refuses excessive documents and `repair` and `version` fix frequent errors before feed-rs parses them.

mod dates;
pub(crate) mod decode;
mod measure;
mod repair;
mod version;

use std::io::{self, Read as _};

use chrono::{DateTime, Utc};
use feed_rs::{model, parser};
use tempfile::SpooledTempFile;
use url::Url;

use crate::{canonical, fetch::Policy, text};

/// The most entries of a feed that are read; the first are the newest.
pub const MAX_ENTRIES: usize = 500;

/// The longest fields of an entry, in characters.
const MAX_TITLE_LENGTH: usize = 500;
const MAX_NAME_LENGTH: usize = 200;
const MAX_ID_LENGTH: usize = 500;
const MAX_ADDRESS_LENGTH: usize = 2_048;
/// The most categories of an entry, and the longest in characters.
const MAX_CATEGORIES: usize = 20;
const MAX_CATEGORY_LENGTH: usize = 100;

/// An entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id within the feed, at most 500 characters: the given one, else a hash of its address or title.
    pub id: String,
    /// Its title in plain text, at most 500 characters; empty when it is missing.
    pub title: String,
    /// Its address: http(s), without user information, at most 2,048 characters.
    pub url: Option<Url>,
    /// Its content, else its summary, as untrusted HTML. [`text::plain`] converts it.
    pub html: Option<String>,
    /// Its summary, as untrusted HTML.
    pub summary: Option<String>,
    /// Its author in plain text, at most 200 characters. Never an e-mail address.
    pub author: Option<String>,
    /// The time of its publication, else of its last change. `None` when it is unreadable, more than a day ahead, or before 1990.
    pub published: Option<DateTime<Utc>>,
    /// Its categories in plain text, at most 20 of 100 characters.
    pub categories: Vec<String>,
}

/// Why a document cannot be read. The sentences contain nothing of the document.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The document is empty.
    #[error("It was empty.")]
    Empty,
    /// A page, JSON, or another format.
    #[error("It is no RSS or Atom feed.")]
    NotAFeed,
    /// Invalid XML.
    #[error("Its XML is broken.")]
    Broken,
    /// A document type may define entities that expand without bound, or refer to files.
    #[error("It brings a document type of its own.")]
    DocumentType,
    /// More elements, attributes or depth than any feed needs.
    #[error("It repeats or nests elements beyond measure.")]
    Excessive,
    /// Longer than [`Policy::FEED`] allows.
    #[error("It is too long for a feed.")]
    TooLarge,
    /// An error of this machine.
    #[error("The temporary file could not be read.")]
    Local(#[source] io::Error),
}

/// Reads at most [`MAX_ENTRIES`] entries of a feed, in its order. Blocks the thread while it computes.
///
/// `charset` is that of the header. The byte order mark has precedence; after `charset` come the XML declaration, UTF-8, and
/// windows-1252 (feeds declare ISO 8859-1 for any charset). The first charset in which all bytes are valid is used.
///
/// # Errors
/// When the document cannot be read. Parts of a broken feed are not returned.
pub fn read(body: &mut SpooledTempFile, charset: Option<&str>, now: DateTime<Utc>) -> Result<Vec<Entry>, FeedError> {
    let most = Policy::FEED.max_bytes;
    let mut bytes = Vec::new();
    body.take(most + 1).read_to_end(&mut bytes).map_err(FeedError::Local)?;
    if bytes.len() as u64 > most {
        return Err(FeedError::TooLarge);
    }
    let document = decode::text(&bytes, charset);
    drop(bytes);
    let document = document.trim_start();
    if document.is_empty() {
        return Err(FeedError::Empty);
    }
    // feed-rs also accepts JSON feeds, which `measure` does not bound.
    if !document.starts_with('<') {
        return Err(FeedError::NotAFeed);
    }
    let repaired = repair::repair(document);
    let measured = measure::measure(&repaired, MAX_ENTRIES)?;
    let measured = version::complete(&measured);
    let parser = parser::Builder::new()
        .timestamp_parser(move |raw| dates::parse(raw, now))
        // By default the id is random, so it would differ in each crawl.
        .id_generator(|_, _, _| String::new())
        .build();
    let feed = parser.parse(measured.as_bytes()).map_err(|error| match error {
        parser::ParseFeedError::ParseError(parser::ParseErrorKind::NoFeedRoot) => FeedError::NotAFeed,
        _ => FeedError::Broken,
    })?;
    Ok(feed.entries.into_iter().take(MAX_ENTRIES).map(Entry::from).collect())
}

impl From<model::Entry> for Entry {
    fn from(entry: model::Entry) -> Self {
        let title = entry.title.map(|title| text::line(&title.content, MAX_TITLE_LENGTH)).unwrap_or_default();
        let url = find_url(&entry.links, &entry.id);
        let own = text::line(&entry.id, MAX_ID_LENGTH);
        // Two long ids could be equal after they are cut.
        let id = if own.is_empty() || entry.id.trim().chars().nth(MAX_ID_LENGTH).is_some() {
            hash(&[&entry.id, url.as_ref().map_or(title.as_str(), Url::as_str)])
        } else {
            own
        };
        let categories = entry.categories.into_iter().map(|category| category.label.unwrap_or(category.term));
        let categories = categories.map(|name| text::line(&name, MAX_CATEGORY_LENGTH)).filter(|name| !name.is_empty());
        let summary = entry.summary.map(|summary| summary.content).filter(|html| !html.trim().is_empty());
        let content = entry.content.and_then(|content| content.body).filter(|html| !html.trim().is_empty());
        Self {
            id,
            title,
            url,
            html: content.or_else(|| summary.clone()),
            summary,
            author: entry.authors.into_iter().find_map(author_name),
            published: entry.published.or(entry.updated),
            categories: categories.take(MAX_CATEGORIES).collect(),
        }
    }
}

/// The page of an entry: the first link without another relation, else an id that is a link.
fn find_url(links: &[model::Link], id: &str) -> Option<Url> {
    let own = |link: &&model::Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    links.iter().filter(own).map(|link| link.href.as_str()).chain([id]).find_map(|href| {
        let url = Url::parse(href.trim()).ok()?;
        let is_valid = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str().len() <= MAX_ADDRESS_LENGTH;
        is_valid.then_some(url)
    })
}

/// The id of an entry without one, the same in each crawl.
fn hash(parts: &[&str]) -> String {
    canonical::fingerprint(parts).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The name of an author. RSS has it in the e-mail address, `jane@example.org (Jane Doe)`; the name of feed-rs is then
/// `author`.
fn author_name(person: model::Person) -> Option<String> {
    let name = match &person.email {
        None => person.name.as_str(),
        Some(_) if !matches!(person.name.as_str(), "author" | "unknown") => person.name.as_str(),
        Some(email) => match email.split_once('(') {
            Some((_, behind)) => behind.trim_end().trim_end_matches(')'),
            None => email.as_str(),
        },
    };
    let name = text::line(name, MAX_NAME_LENGTH);
    (!name.is_empty() && !name.contains('@') && name != "unknown").then_some(name)
}

#[cfg(test)]
mod tests;
