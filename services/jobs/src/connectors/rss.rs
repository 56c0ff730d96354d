//! RSS and Atom feeds of postings.

use std::ops::ControlFlow;

use chrono::{DateTime, Utc};
use crawler::{
    feed::{self, Entry},
    fetch::{Document, Request},
    text,
};
use url::Url;

use super::{
    Board, InvalidItem, Item, ItemHandler, MAX_DESCRIPTION, Page, SourcePosting, UnreadableResponse, escape_html,
};
use crate::dates::DateOrTime;

pub fn request(board: &Board) -> Result<Request, UnreadableResponse> {
    let url = Url::parse(&board.address).map_err(|_| UnreadableResponse)?;
    Ok(Request::new(url, "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9"))
}

pub fn read(
    board: &Board,
    mut response: Document,
    now: DateTime<Utc>,
    to: &mut ItemHandler<'_>,
) -> Result<Page, UnreadableResponse> {
    let entries = feed::read(&mut response, now).map_err(|_| UnreadableResponse)?;
    let reach = reach(&entries);
    for entry in entries {
        if let ControlFlow::Break(()) = to(item(entry, board)) {
            return Err(UnreadableResponse);
        }
    }
    Ok(Page { more: false, reach })
}

/// Returns the time back to which a feed is complete: its oldest entry. An empty feed is complete; without dates
/// nothing is known.
fn reach(entries: &[Entry]) -> DateTime<Utc> {
    let oldest = entries.iter().filter_map(|entry| entry.published).min();
    oldest.unwrap_or(if entries.is_empty() { DateTime::UNIX_EPOCH } else { DateTime::<Utc>::MAX_UTC })
}

fn item(entry: Entry, board: &Board) -> Item {
    let url = entry.url.ok_or(InvalidItem)?;
    let (title, place) = split_place(&entry.title);
    Ok(Some(SourcePosting {
        url: url.into(),
        title: escape_html(title),
        // The author of an entry is the employer.
        company: entry.author.map_or_else(|| board.name.clone(), |author| escape_html(&author)),
        places: place.map(escape_html).into_iter().collect(),
        description: text::plain(&entry.html.unwrap_or_default(), MAX_DESCRIPTION),
        commitments: entry.categories.clone(),
        teams: entry.categories,
        posted_at: entry.published_on.map(DateOrTime::Date).or(entry.published.map(DateOrTime::Time)),
        ..SourcePosting::default()
    }))
}

/// Splits `Staff Attorney (Albany, NY)`: feeds have no field for the place.
fn split_place(title: &str) -> (&str, Option<&str>) {
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
    fn a_date_without_a_time_stays_a_date() {
        let midnight: DateTime<Utc> = "2026-11-20T00:00:00Z".parse().unwrap();
        let entry = |published_on| Entry {
            id: None,
            title: "Associate".to_owned(),
            url: Some("https://firm.example/1".parse().unwrap()),
            html: None,
            summary: None,
            author: None,
            published: Some(midnight),
            published_on,
            categories: vec![],
        };
        let board = Board { address: String::new(), name: "Firm".to_owned() };
        let posted = |published_on| item(entry(published_on), &board).unwrap().unwrap().posted_at;
        assert_eq!(posted(None), Some(DateOrTime::Time(midnight)));
        assert_eq!(posted(Some(midnight.date_naive())), Some(DateOrTime::Date(midnight.date_naive())));
    }

    #[test]
    fn a_place_after_the_title_is_split_off() {
        for (title, expected) in [
            ("Staff Attorney (Albany, NY)", ("Staff Attorney", Some("Albany, NY"))),
            ("Law Clerk (Remote)", ("Law Clerk", Some("Remote"))),
            ("Associate (Litigation)", ("Associate (Litigation)", None)),
            ("(Albany, NY)", ("(Albany, NY)", None)),
            ("Associate", ("Associate", None)),
        ] {
            assert_eq!(split_place(title), expected, "{title}");
        }
    }
}
