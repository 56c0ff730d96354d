//! Feeds in RSS or Atom whose entries are postings.

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use crawler::{
    feed::{self, Entry},
    fetch::{Ask, Document},
    text,
};
use url::Url;

use super::{Board, Broken, Item, Listener, Page, Told, Unreadable, escaped};
use crate::derive::LONGEST_DESCRIPTION;

pub fn ask(board: &Board) -> Result<Ask, Unreadable> {
    let url = Url::parse(&board.address).map_err(|_| Unreadable)?;
    Ok(Ask::new(url, "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9"))
}

pub fn read(
    board: &Board,
    mut answer: Document,
    now: DateTime<Utc>,
    to: &mut Listener<'_>,
) -> Result<Page, Unreadable> {
    let entries = feed::read(&mut answer.body, answer.charset.as_deref(), now).map_err(|_| Unreadable)?;
    let reach = reach(&entries);
    for entry in entries {
        if let ControlFlow::Break(()) = to(item(entry, board)) {
            return Err(Unreadable);
        }
    }
    Ok(Page { more: false, reach })
}

/// Since its oldest entry a feed tells of everything. One without any has nothing to tell of, one without dates does not
/// say how far it reaches.
fn reach(entries: &[Entry]) -> DateTime<Utc> {
    let oldest = entries.iter().filter_map(|entry| entry.published).min();
    oldest.unwrap_or(if entries.is_empty() { DateTime::UNIX_EPOCH } else { DateTime::<Utc>::MAX_UTC })
}

fn item(entry: Entry, board: &Board) -> Item {
    let url = entry.url.ok_or(Broken)?;
    let (title, place) = apart(&entry.title);
    Ok(Some(Told {
        url: url.into(),
        title: escaped(title),
        // The author of a posting is whoever employs.
        company: entry.author.map_or_else(|| board.name.clone(), |author| escaped(&author)),
        places: place.map(escaped).into_iter().collect(),
        description: text::plain(&entry.html.unwrap_or_default(), LONGEST_DESCRIPTION),
        commitments: entry.categories.clone(),
        teams: entry.categories,
        posted_at: entry.published,
        ..Told::default()
    }))
}

/// `Staff Attorney (Albany, NY)`: feeds have no field for the place, and put it there.
fn apart(title: &str) -> (&str, Option<&str>) {
    let title = title.trim();
    let inner = title.strip_suffix(')').and_then(|title| title.rsplit_once('('));
    match inner {
        Some((before, place)) if place.contains(',') || place.to_lowercase().contains("remote") => {
            if before.trim().is_empty() { (title, None) } else { (before.trim(), Some(place.trim())) }
        }
        _ => (title, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_behind_the_title_is_taken_for_one() {
        for (title, expected) in [
            ("Staff Attorney (Albany, NY)", ("Staff Attorney", Some("Albany, NY"))),
            ("Law Clerk (Remote)", ("Law Clerk", Some("Remote"))),
            ("Associate (Litigation)", ("Associate (Litigation)", None)),
            ("(Albany, NY)", ("(Albany, NY)", None)),
            ("Associate", ("Associate", None)),
        ] {
            assert_eq!(apart(title), expected, "{title}");
        }
    }
}
