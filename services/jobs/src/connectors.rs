//! Connectors: the request and the response format of each kind of source, one file each.
//!
//! `request` builds the request of a page. `read` passes the items of a response to a handler one by one, so that a board of
//! thousands is never in memory. An invalid item is an [`InvalidItem`] and affects no other; a response without a list is an
//! [`UnreadableResponse`]. Connectors do not guess: `derive` finds what a source does not state.

mod ashby;
mod demo;
mod greenhouse;
mod json;
mod lever;
mod rss;
mod usajobs;

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use crawler::fetch::{Document, Policy, Request};
use url::Url;

use crate::{config::Settings, dates::DateOrTime};

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// Job boards at Greenhouse.
    Greenhouse,
    /// Job boards at Lever.
    Lever,
    /// Job boards at Ashby.
    Ashby,
    /// The job board of the United States government.
    Usajobs,
    /// An RSS or Atom feed of postings.
    Rss,
    /// The demo file in the binary.
    Demo,
}

/// The names of connectors in rows and settings.
const NAMES: [(Connector, &str); 6] = [
    (Connector::Greenhouse, "greenhouse"),
    (Connector::Lever, "lever"),
    (Connector::Ashby, "ashby"),
    (Connector::Usajobs, "usajobs"),
    (Connector::Rss, "rss"),
    (Connector::Demo, "demo"),
];

/// The maximum length of a description in characters.
const MAX_DESCRIPTION: usize = 12_000;

/// The source of a connector.
#[derive(Clone, Debug)]
pub struct Board {
    /// The token of a board, or the address of a feed.
    pub address: String,
    /// The displayed name: the employer, when the source names none.
    pub name: String,
}

/// A posting in plain text as the source gives it, before derivation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourcePosting {
    /// The address; `portia:` for the demo.
    pub url: String,
    /// The title of the position.
    pub title: String,
    /// The employer.
    pub company: String,
    /// Departments, teams and categories.
    pub teams: Vec<String>,
    /// The places of work.
    pub places: Vec<String>,
    /// Whether the source states that the work is remote.
    pub remote: bool,
    /// The whole text.
    pub description: String,
    /// The employment types as the source names them.
    pub commitments: Vec<String>,
    /// The experience levels as the source names them.
    pub levels: Vec<String>,
    /// The pay as the source states it.
    pub salary: Option<String>,
    /// The end of applications.
    pub deadline: Option<DateOrTime>,
    /// The publication.
    pub posted_at: Option<DateOrTime>,
}

/// An item of another shape, or without title, employer or address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidItem;

/// A response without a list of postings, or an incomplete one. The message contains nothing of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The answer could not be read.")]
pub struct UnreadableResponse;

/// An item: a posting, an unlisted posting, or an invalid item.
pub type Item = Result<Option<SourcePosting>, InvalidItem>;

/// Receives the items and decides whether to continue.
pub type ItemHandler<'a> = dyn FnMut(Item) -> ControlFlow<()> + 'a;

/// The result of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whether another page follows.
    pub more: bool,
    /// The page is complete back to this time. A board contains all postings; a feed is a window of the newest and says nothing
    /// about older ones.
    pub reach: DateTime<Utc>,
}

impl Page {
    /// The last page of a complete list.
    const LAST: Self = Self { more: false, reach: DateTime::UNIX_EPOCH };
}

impl Connector {
    /// Returns the connector with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(connector, _)| *connector)
    }

    /// The name in rows and settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(connector, _)| *connector == self).map_or("", |(_, name)| name)
    }

    /// Whether employers publish all of their postings there. Only legal ones are stored.
    #[must_use]
    pub const fn lists_everything(self) -> bool {
        matches!(self, Self::Greenhouse | Self::Lever | Self::Ashby)
    }

    /// The limits of size and time of a response.
    #[must_use]
    pub const fn policy(self) -> Policy {
        match self {
            Self::Rss => Policy::FEED,
            _ => Policy::BOARD,
        }
    }

    /// The request of a page, from 1; `None` for the demo.
    ///
    /// # Errors
    /// [`UnreadableResponse`] for an invalid address.
    pub fn request(self, settings: &Settings, board: &Board, page: u32) -> Result<Option<Request>, UnreadableResponse> {
        match self {
            Self::Greenhouse => greenhouse::request(settings, board).map(Some),
            Self::Lever => lever::request(settings, board).map(Some),
            Self::Ashby => ashby::request(settings, board).map(Some),
            Self::Usajobs => usajobs::request(settings, board, page).map(Some),
            Self::Rss => rss::request(board).map(Some),
            Self::Demo => Ok(None),
        }
    }

    /// Passes all items of a response to the handler. Blocks.
    ///
    /// # Errors
    /// [`UnreadableResponse`] when the response is not a complete list, or the handler stops.
    pub fn read(
        self,
        board: &Board,
        response: Option<Document>,
        now: DateTime<Utc>,
        to: &mut ItemHandler<'_>,
    ) -> Result<Page, UnreadableResponse> {
        match (self, response) {
            (Self::Greenhouse, Some(response)) => greenhouse::read(board, response, to),
            (Self::Lever, Some(response)) => lever::read(board, response, to),
            (Self::Ashby, Some(response)) => ashby::read(board, response, to),
            (Self::Usajobs, Some(response)) => usajobs::read(response, to),
            (Self::Rss, Some(response)) => rss::read(board, response, now, to),
            (Self::Demo, _) => demo::read(now, to),
            (_, None) => Err(UnreadableResponse),
        }
    }
}

/// `base` with these path segments, escaped.
fn join_path(base: &Url, segments: &[&str]) -> Result<Url, UnreadableResponse> {
    let mut url = base.clone();
    url.path_segments_mut().map_err(|()| UnreadableResponse)?.pop_if_empty().extend(segments);
    Ok(url)
}

/// Escapes plain text for functions that read HTML.
fn escape_html(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectors_have_names() {
        for (connector, name) in NAMES {
            assert_eq!((Connector::parse(name), connector.name()), (Some(connector), name));
        }
        assert_eq!(Connector::parse("workday"), None);
    }

    #[test]
    fn a_token_is_one_path_segment() {
        let base = Url::parse("https://boards.example.org/").unwrap();
        assert_eq!(
            join_path(&base, &["v1", "a/b?c", "jobs"]).unwrap().as_str(),
            "https://boards.example.org/v1/a%2Fb%3Fc/jobs"
        );
    }
}
