//! RSS and Atom feeds. `measure` refuses excessive documents, and `repair`, `version` and `constructs` fix frequent errors before
//! feed-rs parses them.

mod constructs;
mod dates;
pub(crate) mod decode;
mod measure;
mod repair;
mod version;

use std::io::{self, Read as _};

use chrono::{DateTime, NaiveDate, TimeDelta, Timelike as _, Utc};
use feed_rs::{
    model::{self, FeedType},
    parser,
};
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::{
    fetch::{Document, Policy},
    text,
};

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
    /// Its id within the feed, at most 500 characters; of a longer one, its hash. `None` when it is missing.
    pub id: Option<String>,
    /// Its title in plain text, at most 500 characters; empty when it is missing.
    pub title: String,
    /// Its address: http(s), without user information, at most 2,048 characters. A relative one is resolved against `xml:base`,
    /// else against the address of the feed.
    pub url: Option<Url>,
    /// Its content, else its summary, as untrusted HTML. [`text::plain`] converts it.
    pub html: Option<String>,
    /// Its summary, as untrusted HTML.
    pub summary: Option<String>,
    /// Its author in plain text, at most 200 characters. Never an e-mail address.
    pub author: Option<String>,
    /// The time of its publication, else of its last change. `None` when it is unreadable, more than a day ahead, or before 1990.
    pub published: Option<DateTime<Utc>>,
    /// The day of `published`, which is then midnight in UTC, when the feed gives no time of day.
    pub published_on: Option<NaiveDate>,
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
/// The byte order mark has precedence; after the charset of the header come the XML declaration, UTF-8, and windows-1252 (feeds
/// declare ISO 8859-1 for any charset). The first charset in which all bytes are valid is used.
///
/// # Errors
/// When the document cannot be read. Parts of a broken feed are not returned.
pub fn read(feed: &mut Document, now: DateTime<Utc>) -> Result<Vec<Entry>, FeedError> {
    let most = Policy::FEED.max_bytes;
    let mut bytes = Vec::new();
    (&mut feed.body).take(most + 1).read_to_end(&mut bytes).map_err(FeedError::Local)?;
    if bytes.len() as u64 > most {
        return Err(FeedError::TooLarge);
    }
    let document = decode::text(&bytes, feed.charset.as_deref());
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
    let complete = version::complete(&measured);
    let complete = constructs::as_html(&complete);
    // A feed with `xml:base` has relative addresses by intention. Other ones are resolved here, because feed-rs would make an
    // address of every text.
    let base = complete.contains("xml:base").then_some(feed.url.as_str());
    let parser = parser::Builder::new()
        .base_uri(base)
        .timestamp_parser(move |raw| dates::parse(raw, now).map(mark_day))
        // By default the id is random, so it would differ in each crawl.
        .id_generator(|_, _, _| String::new())
        .build();
    let parsed = parser.parse(complete.as_bytes()).map_err(|error| match error {
        parser::ParseFeedError::ParseError(parser::ParseErrorKind::NoFeedRoot) => FeedError::NotAFeed,
        _ => FeedError::Broken,
    })?;
    let format = if parsed.feed_type == FeedType::Atom { Format::Atom } else { Format::Rss };
    let entries = parsed.entries.into_iter().take(MAX_ENTRIES);
    Ok(entries.map(|entry| read_entry(entry, format, &feed.url)).collect())
}

/// A nanosecond after midnight: feed-rs has no dates without a time. Times are read to microseconds.
const DAY: TimeDelta = TimeDelta::nanoseconds(1);

fn mark_day(published: dates::Published) -> DateTime<Utc> {
    if published.is_day { published.at + DAY } else { published.at }
}

/// Whether the texts of a feed have a type.
#[derive(Clone, Copy)]
enum Format {
    /// Names are plain text, and `constructs` made HTML of all other texts.
    Atom,
    /// A text may be HTML or not.
    Rss,
}

impl Format {
    /// A title in one line.
    fn title(self, raw: &str) -> String {
        match self {
            Self::Atom => match text::line(raw, MAX_TITLE_LENGTH) {
                title if title.is_empty() && raw.contains('<') => text::literal_line(raw, MAX_TITLE_LENGTH),
                title => title,
            },
            Self::Rss => text::line_of_either(raw, MAX_TITLE_LENGTH),
        }
    }

    /// The name of an author or a category in one line.
    fn name(self, raw: &str, most: usize) -> String {
        match self {
            Self::Atom => text::literal_line(raw, most),
            Self::Rss => text::line_of_either(raw, most),
        }
    }
}

fn read_entry(entry: model::Entry, format: Format, base: &Url) -> Entry {
    let categories = entry.categories.into_iter().map(|category| category.label.unwrap_or(category.term));
    let categories = categories.map(|name| format.name(&name, MAX_CATEGORY_LENGTH)).filter(|name| !name.is_empty());
    let summary = entry.summary.map(|summary| summary.content).filter(|html| !html.trim().is_empty());
    let content = entry.content.and_then(|content| content.body).filter(|html| !html.trim().is_empty());
    let published = entry.published.or(entry.updated);
    let is_day = published.is_some_and(|at| at.nanosecond() % 1_000 != 0);
    let published = if is_day { published.map(|at| at - DAY) } else { published };
    Entry {
        id: read_id(&entry.id),
        title: entry.title.map(|title| format.title(&title.content)).unwrap_or_default(),
        url: find_url(&entry.links, &entry.id, base),
        html: content.or_else(|| summary.clone()),
        summary,
        author: entry.authors.into_iter().find_map(|person| author_name(person, format)),
        published,
        published_on: published.filter(|_| is_day).map(|at| at.date_naive()),
        categories: categories.take(MAX_CATEGORIES).collect(),
    }
}

fn read_id(raw: &str) -> Option<String> {
    let id = text::literal_line(raw, MAX_ID_LENGTH);
    // Two long ids could be equal after they are cut.
    if raw.trim().chars().nth(MAX_ID_LENGTH).is_some() {
        return Some(Sha256::digest(raw).iter().map(|byte| format!("{byte:02x}")).collect());
    }
    (!id.is_empty()).then_some(id)
}

/// Finds the page of an entry: the first link without another relation, else an id that is a link.
fn find_url(links: &[model::Link], id: &str, base: &Url) -> Option<Url> {
    let own = |link: &&model::Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    let links = links.iter().filter(own).filter_map(|link| resolve(link.href.trim(), base));
    links.chain(Url::parse(id.trim()).ok()).find(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str().len() <= MAX_ADDRESS_LENGTH
    })
}

/// Resolves an address, which may be relative. A text with spaces is no address; an empty one is the address of the
/// feed.
fn resolve(href: &str, base: &Url) -> Option<Url> {
    match Url::parse(href) {
        Err(url::ParseError::RelativeUrlWithoutBase) => {}
        parsed => return parsed.ok(),
    }
    if href.is_empty() || href.contains(char::is_whitespace) {
        return None;
    }
    // The scheme is missing: `www.docket.example/a`.
    if href.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) {
        return Url::parse(&format!("https://{href}")).ok();
    }
    base.join(href).ok()
}

/// The name of an author. RSS has it in the e-mail address, `jane@example.org (Jane Doe)`; the name of feed-rs is then
/// `author`.
fn author_name(person: model::Person, format: Format) -> Option<String> {
    let name = match &person.email {
        None => person.name.as_str(),
        Some(_) if !matches!(person.name.as_str(), "author" | "unknown") => person.name.as_str(),
        Some(email) => match email.split_once('(') {
            Some((_, behind)) => behind.trim_end().trim_end_matches(')'),
            None => email.as_str(),
        },
    };
    let name = format.name(name, MAX_NAME_LENGTH);
    (!name.is_empty() && !name.contains('@') && name != "unknown").then_some(name)
}

#[cfg(test)]
mod tests;
