//! RSS and Atom, as they come: read by feed-rs, after everything that could harm it or us has been refused or repaired.

mod dates;
mod decode;
mod measure;
mod repair;

use std::io::{self, Read as _};

use chrono::{DateTime, Utc};
use feed_rs::{model, parser};
use tempfile::SpooledTempFile;
use url::Url;

use crate::{canonical, fetch::Policy, text};

/// As many entries of a feed are read; the first are the newest.
pub const MOST_ENTRIES: usize = 500;

/// The most of an entry's parts, in characters.
const LONGEST_TITLE: usize = 500;
const LONGEST_NAME: usize = 200;
const LONGEST_ID: usize = 500;
const LONGEST_ADDRESS: usize = 2_048;
/// As many categories of an entry are kept, of so many characters.
const MOST_CATEGORIES: usize = 20;
const LONGEST_CATEGORY: usize = 100;

/// An entry of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name within the feed, at most 500 characters: its own, else made of its address or title.
    pub id: String,
    /// Its title in plain text, at most 500 characters; empty where it has none.
    pub title: String,
    /// Where it is: http(s), without user information, at most 2,048 characters.
    pub url: Option<Url>,
    /// All the feed says, as HTML not to be trusted: its content, else its summary. [`text::plain`] makes text of it.
    pub html: Option<String>,
    /// The feed's summary alone, as HTML not to be trusted.
    pub summary: Option<String>,
    /// Who wrote it, in plain text, at most 200 characters. Never an e-mail address.
    pub author: Option<String>,
    /// When it was published, else changed. None when that cannot be read, is more than a day ahead, or before 1990.
    pub published: Option<DateTime<Utc>>,
    /// What it is filed under, in plain text, at most 20 of 100 characters.
    pub categories: Vec<String>,
}

/// Why a document is no feed to be read: one sentence each, without a word of the document's.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Nothing came.
    #[error("It was empty.")]
    Empty,
    /// A page, JSON, or something else.
    #[error("It is no RSS or Atom feed.")]
    NotAFeed,
    /// XML that is none.
    #[error("Its XML is broken.")]
    Broken,
    /// A document type could define entities that grow without end, or name files.
    #[error("It brings a document type of its own.")]
    DocumentType,
    /// More than any feed needs.
    #[error("It repeats or nests elements beyond measure.")]
    Excessive,
    /// Longer than [`Policy::FEED`] allows.
    #[error("It is too long for a feed.")]
    TooLarge,
    /// This machine's own fault.
    #[error("The temporary file could not be read.")]
    Local(#[source] io::Error),
}

/// Reads a feed, at most [`MOST_ENTRIES`] entries of it, in its order. It computes for a while: not on a thread that
/// serves others.
///
/// `charset` is what the header named. A byte order mark goes before it; behind it come the XML declaration, UTF-8 if it
/// is valid, and windows-1252 (feeds name ISO 8859-1 for any charset). What a charset cannot have
/// written is read by the next.
///
/// # Errors
/// Says why it cannot be read. A part of a broken feed is none.
pub fn read(body: &mut SpooledTempFile, charset: Option<&str>, now: DateTime<Utc>) -> Result<Vec<Entry>, Unreadable> {
    let most = Policy::FEED.max_bytes;
    let mut bytes = Vec::new();
    body.take(most + 1).read_to_end(&mut bytes).map_err(Unreadable::Local)?;
    if bytes.len() as u64 > most {
        return Err(Unreadable::TooLarge);
    }
    let document = decode::text(&bytes, charset);
    drop(bytes);
    let document = document.trim_start();
    if document.is_empty() {
        return Err(Unreadable::Empty);
    }
    // The library accepts JSON feeds too, which are not measured.
    if !document.starts_with('<') {
        return Err(Unreadable::NotAFeed);
    }
    let repaired = repair::repaired(document);
    let measured = measure::measured(&repaired, MOST_ENTRIES)?;
    let parser = parser::Builder::new()
        .timestamp_parser(move |raw| dates::moment(raw, now))
        // A random name would be another one each time.
        .id_generator(|_, _, _| String::new())
        .build();
    let feed = parser.parse(measured.as_bytes()).map_err(|error| match error {
        parser::ParseFeedError::ParseError(parser::ParseErrorKind::NoFeedRoot) => Unreadable::NotAFeed,
        _ => Unreadable::Broken,
    })?;
    Ok(feed.entries.into_iter().take(MOST_ENTRIES).map(Entry::from).collect())
}

impl From<model::Entry> for Entry {
    fn from(entry: model::Entry) -> Self {
        let title = entry.title.map(|title| text::line(&title.content, LONGEST_TITLE)).unwrap_or_default();
        let url = address(&entry.links, &entry.id);
        let own = text::line(&entry.id, LONGEST_ID);
        // Cut, two names could be one.
        let id = if own.is_empty() || entry.id.trim().chars().nth(LONGEST_ID).is_some() {
            mark(&[&entry.id, url.as_ref().map_or(title.as_str(), Url::as_str)])
        } else {
            own
        };
        let categories = entry.categories.into_iter().map(|category| category.label.unwrap_or(category.term));
        let categories = categories.map(|name| text::line(&name, LONGEST_CATEGORY)).filter(|name| !name.is_empty());
        let summary = entry.summary.map(|summary| summary.content).filter(|html| !html.trim().is_empty());
        let content = entry.content.and_then(|content| content.body).filter(|html| !html.trim().is_empty());
        Self {
            id,
            title,
            url,
            html: content.or_else(|| summary.clone()),
            summary,
            author: entry.authors.into_iter().find_map(name),
            published: entry.published.or(entry.updated),
            categories: categories.take(MOST_CATEGORIES).collect(),
        }
    }
}

/// The page of an entry: the link that is it rather than about it, else a name that is a link.
fn address(links: &[model::Link], id: &str) -> Option<Url> {
    let own = |link: &&model::Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    links.iter().filter(own).map(|link| link.href.as_str()).chain([id]).find_map(|href| {
        let url = Url::parse(href.trim()).ok()?;
        let sound = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.as_str().len() <= LONGEST_ADDRESS;
        sound.then_some(url)
    })
}

/// A name for what has none, the same each time.
fn mark(parts: &[&str]) -> String {
    canonical::fingerprint(parts).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A person's name. RSS keeps it in the e-mail address, `jane@example.org (Jane Doe)`, for which feed-rs then has the
/// name `author`.
fn name(person: model::Person) -> Option<String> {
    let name = match &person.email {
        None => person.name.as_str(),
        Some(_) if !matches!(person.name.as_str(), "author" | "unknown") => person.name.as_str(),
        Some(email) => match email.split_once('(') {
            Some((_, behind)) => behind.trim_end().trim_end_matches(')'),
            None => email.as_str(),
        },
    };
    let name = text::line(name, LONGEST_NAME);
    (!name.is_empty() && !name.contains('@') && name != "unknown").then_some(name)
}

#[cfg(test)]
mod tests;
