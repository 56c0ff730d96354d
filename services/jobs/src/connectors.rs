//! Connectors: how each kind of source is asked, and how its answer is read. One file each, all of the same small contract.
//!
//! `ask` says what to send for a page; `read` tells the answer's items one by one, so that a board of thousands never lies
//! in memory. An item that makes no sense is told as [`Broken`] and harms no other; an answer that is no such list at all
//! is [`Unreadable`]. Nothing here guesses: what the source does not say outright, `derive` finds.

mod ashby;
mod demo;
mod greenhouse;
mod json;
mod lever;
mod rss;
mod usajobs;

use std::ops::ControlFlow;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use crawler::fetch::{Ask, Document, Policy};
use url::Url;

use crate::config::Settings;

/// A kind of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connector {
    /// Greenhouse's job boards: employers' own pages.
    Greenhouse,
    /// Lever's.
    Lever,
    /// Ashby's.
    Ashby,
    /// The United States government's.
    Usajobs,
    /// Any feed in RSS or Atom whose entries are postings.
    Rss,
    /// A file of ours, for a Portia that has nothing real yet.
    Demo,
}

/// Every connector by the name rows and settings call it.
const NAMES: [(Connector, &str); 6] = [
    (Connector::Greenhouse, "greenhouse"),
    (Connector::Lever, "lever"),
    (Connector::Ashby, "ashby"),
    (Connector::Usajobs, "usajobs"),
    (Connector::Rss, "rss"),
    (Connector::Demo, "demo"),
];

/// A source, as its connector needs to know it.
#[derive(Clone, Debug)]
pub struct Board {
    /// What is asked.
    pub address: String,
    /// What people call it: the employer, where the source does not name one.
    pub name: String,
}

/// A posting as its source tells it, in plain text; nothing is derived yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Where one reads it and applies; `portia:` for what is made up.
    pub url: String,
    /// What the position is called.
    pub title: String,
    /// Who employs.
    pub company: String,
    /// Departments and teams, and whatever else says what kind of work it is.
    pub teams: Vec<String>,
    /// Where the work is.
    pub places: Vec<String>,
    /// Whether the source says that it can be done from anywhere.
    pub remote: bool,
    /// The whole text.
    pub description: String,
    /// The source's words for how one is employed.
    pub commitments: Vec<String>,
    /// The source's words for how much experience is asked for.
    pub levels: Vec<String>,
    /// The source's words for the pay.
    pub salary: Option<String>,
    /// Until when one may apply.
    pub deadline: Option<DateTime<Utc>>,
    /// Since when it is published.
    pub posted_at: Option<DateTime<Utc>>,
}

/// An item that is no posting: it lacks what every posting has, or is not of its source's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// An answer that holds no list of postings, or breaks off. For operators and the status page: it repeats nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("The answer could not be read.")]
pub struct Unreadable;

/// One item: a posting, one that its source does not list, or a broken one.
pub type Item = Result<Option<Told>, Broken>;

/// Who is told the items; they may have heard enough.
pub type Listener<'a> = dyn FnMut(Item) -> ControlFlow<()> + 'a;

/// What a whole answer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whether there is another page to ask for.
    pub more: bool,
    /// Since when it tells of everything. A board does without end. A feed is a window of the newest: of what is older than
    /// its oldest entry it says nothing.
    pub reach: DateTime<Utc>,
}

impl Page {
    /// All there is.
    const LAST: Self = Self { more: false, reach: DateTime::UNIX_EPOCH };
}

impl Connector {
    /// The connector of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(connector, _)| *connector)
    }

    /// What rows and settings call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(connector, _)| *connector == self).map_or("", |(_, name)| name)
    }

    /// Whether employers list all of their work there, of which only the legal concerns us.
    #[must_use]
    pub const fn lists_everything(self) -> bool {
        matches!(self, Self::Greenhouse | Self::Lever | Self::Ashby)
    }

    /// How much it may send, and how long it may take.
    #[must_use]
    pub const fn policy(self) -> Policy {
        match self {
            Self::Rss => Policy::FEED,
            _ => Policy::BOARD,
        }
    }

    /// What to send for a page, from 1; `None` where nobody is asked.
    ///
    /// # Errors
    /// [`Unreadable`] for an address that cannot be asked.
    pub fn ask(self, settings: &Settings, board: &Board, page: u32) -> Result<Option<Ask>, Unreadable> {
        match self {
            Self::Greenhouse => greenhouse::ask(settings, board).map(Some),
            Self::Lever => lever::ask(settings, board).map(Some),
            Self::Ashby => ashby::ask(settings, board).map(Some),
            Self::Usajobs => usajobs::ask(settings, board, page).map(Some),
            Self::Rss => rss::ask(board).map(Some),
            Self::Demo => Ok(None),
        }
    }

    /// Tells every item of an answer. It blocks.
    ///
    /// # Errors
    /// [`Unreadable`] when the answer is no list, breaks off, or the listener has heard enough.
    pub fn read(
        self,
        board: &Board,
        answer: Option<Document>,
        now: DateTime<Utc>,
        to: &mut Listener<'_>,
    ) -> Result<Page, Unreadable> {
        match (self, answer) {
            (Self::Greenhouse, Some(answer)) => greenhouse::read(board, answer, to),
            (Self::Lever, Some(answer)) => lever::read(board, answer, to),
            (Self::Ashby, Some(answer)) => ashby::read(board, answer, to),
            (Self::Usajobs, Some(answer)) => usajobs::read(answer, to),
            (Self::Rss, Some(answer)) => rss::read(board, answer, now, to),
            (Self::Demo, _) => demo::read(now, to),
            (_, None) => Err(Unreadable),
        }
    }
}

/// `base` with these segments behind it, whatever they contain.
fn below(base: &Url, segments: &[&str]) -> Result<Url, Unreadable> {
    let mut url = base.clone();
    url.path_segments_mut().map_err(|()| Unreadable)?.pop_if_empty().extend(segments);
    Ok(url)
}

/// Plain text as HTML, for what reads HTML: what looks like markup in it is meant to be read.
fn escaped(plain: &str) -> String {
    plain.replace('&', "&amp;").replace('<', "&lt;")
}

/// A moment as boards write it: with a time zone, without one (which is UTC), or a day alone, of which `end` says whether
/// its end is meant.
fn moment(raw: &str, end: bool) -> Option<DateTime<Utc>> {
    let raw = raw.trim();
    if let Ok(at) = DateTime::parse_from_rfc3339(raw) {
        return reasonable(at.to_utc());
    }
    for form in ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"] {
        if let Ok(at) = NaiveDateTime::parse_from_str(raw.trim_end_matches([' ', 'Z']).trim_end_matches(" UTC"), form) {
            return reasonable(at.and_utc());
        }
    }
    let day = NaiveDate::parse_from_str(raw, "%Y-%m-%d").ok()?;
    let time = if end { NaiveTime::from_hms_opt(23, 59, 59)? } else { NaiveTime::MIN };
    reasonable(day.and_time(time).and_utc())
}

/// Of a time in which there were job boards, and which Postgres knows.
fn reasonable(at: DateTime<Utc>) -> Option<DateTime<Utc>> {
    use chrono::Datelike as _;
    (1990..=2200).contains(&at.year()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_connector_has_its_name() {
        for (connector, name) in NAMES {
            assert_eq!((Connector::parse(name), connector.name()), (Some(connector), name));
        }
        assert_eq!(Connector::parse("workday"), None);
    }

    #[test]
    fn moments_are_read_in_every_form_boards_use() {
        for (raw, seconds) in [
            ("2026-03-02T09:00:00Z", Some(1_772_442_000)),
            ("2026-03-02T04:00:00-05:00", Some(1_772_442_000)),
            ("2026-03-02T09:00:00.0000000", Some(1_772_442_000)),
            ("2026-03-02 09:00:00 UTC", Some(1_772_442_000)),
            ("2026-03-02", Some(1_772_496_000 - 1)),
            ("0001-01-01T00:00:00", None),
            ("9999-12-31T23:59:59Z", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(moment(raw, true).map(|at| at.timestamp()), seconds, "{raw}");
        }
    }

    #[test]
    fn a_token_stays_one_segment_of_the_address() {
        let base = Url::parse("https://boards.example.org/").unwrap();
        assert_eq!(
            below(&base, &["v1", "a/b?c", "jobs"]).unwrap().as_str(),
            "https://boards.example.org/v1/a%2Fb%3Fc/jobs"
        );
    }
}
