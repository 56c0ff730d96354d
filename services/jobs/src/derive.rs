//! Derives the columns of a posting from its texts by the tables in `rules`.

mod place;
mod rules;
mod words;

use chrono::{DateTime, Datelike as _, Utc};
use crawler::{canonical, text};
use primitives::input::Link;
use url::Url;

use crate::{
    connectors::{Connector, InvalidItem, SourcePosting},
    dates::DateOrTime,
    salary,
};
use rules::{
    AREAS, EMPLOYMENT_BY_COMMITMENT, EMPLOYMENT_BY_DESCRIPTION, EMPLOYMENT_BY_TITLE, INTERNS, LEGAL_OFFICES,
    LEGAL_WORDS, LEVEL_BY_OFFICE, LEVEL_BY_SOURCE, LEVEL_BY_TITLE, LEVEL_BY_YEARS, OTHER_TRADES, Rules,
};
use words::Words;

const MAX_TITLE: usize = 200;
const MAX_COMPANY: usize = 120;
const MAX_SALARY: usize = 120;
/// The characters of a description that are about the work; the rest is about the employer.
const RELEVANT_BEGINNING: usize = 3_000;

/// A crawled posting with its derived columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedPosting {
    /// The canonical form of the address, which different postings may share.
    pub url: String,
    /// The fingerprint of title, company and location.
    pub fingerprint: [u8; 16],
    /// The title of the position.
    pub title: String,
    /// The employer.
    pub company: String,
    /// The place. For a remote posting, it contains 'remote'.
    pub location: Option<String>,
    /// Whether the work is remote.
    pub remote: bool,
    /// Plain text.
    pub description: String,
    /// A value of the column.
    pub employment_type: Option<&'static str>,
    /// A value of the column.
    pub experience_level: Option<&'static str>,
    /// A value of the column.
    pub practice_area: Option<&'static str>,
    /// In one line.
    pub salary: Option<String>,
    /// The end of applications.
    pub application_deadline: Option<DateOrTime>,
    /// Where members apply, when not here.
    pub external_url: Option<String>,
    /// The publication, if the source states it.
    pub posted_at: Option<DateOrTime>,
}

/// Derives a posting; `None` when the work is not legal or applications have ended.
///
/// # Errors
/// [`InvalidItem`] without a title, an employer or an address.
pub fn derive(
    connector: Connector,
    source: SourcePosting,
    now: DateTime<Utc>,
) -> Result<Option<ParsedPosting>, InvalidItem> {
    let title = text::line(&source.title, MAX_TITLE);
    let company = text::line(&source.company, MAX_COMPANY);
    let url = Url::parse(source.url.trim()).map_err(|_| InvalidItem)?;
    let external_url = match connector {
        Connector::Demo => None,
        _ => Some(Link::parse("url", url.as_str()).map_err(|_| InvalidItem)?.into_string()),
    };
    if title.is_empty() || company.is_empty() {
        return Err(InvalidItem);
    }
    let (in_title, in_teams) = (Words::of(&[&title]), Words::of(&source.teams));
    if connector.lists_everything() && !is_legal(&in_title, &in_teams) {
        return Ok(None);
    }
    if source.deadline.is_some_and(|deadline| deadline.end() <= now) {
        return Ok(None);
    }
    let in_description = Words::of(&[&source.description]);
    let (location, remote) = place::location(&source.places, source.remote, &in_title);
    let year = source.posted_at.map_or(now, |at| at.start()).year();
    let salary = source.salary.as_deref().map(|salary| text::line(salary, MAX_SALARY)).filter(|text| !text.is_empty());
    Ok(Some(ParsedPosting {
        fingerprint: canonical::fingerprint(&[&title, &company, location.as_deref().unwrap_or_default()]),
        url: canonical::canonical(&url),
        employment_type: employment_type(&Words::of(&source.commitments), &in_title, &in_description),
        experience_level: experience_level(&Words::of(&source.levels), &in_title, &in_description),
        practice_area: practice_area(&in_title, &in_teams, &source.description),
        salary: salary.or_else(|| salary::find_pay(&source.description, location.as_deref(), year)),
        title,
        company,
        location,
        remote,
        description: source.description,
        application_deadline: source.deadline,
        external_url,
        posted_at: source.posted_at.filter(|at| at.has_begun(now)),
    }))
}

/// Whether the title or the department is legal work.
fn is_legal(title: &Words, teams: &Words) -> bool {
    title.contains_any(LEGAL_OFFICES)
        || ((title.contains_any(LEGAL_WORDS) || teams.contains_any(LEGAL_WORDS)) && !title.contains_any(OTHER_TRADES))
}

fn employment_type(commitment: &Words, title: &Words, description: &Words) -> Option<&'static str> {
    // An internship stays one when working hours are stated too.
    let intern = title.contains_any(INTERNS).then_some("internship");
    intern
        .or_else(|| first(EMPLOYMENT_BY_COMMITMENT, commitment))
        .or_else(|| first(EMPLOYMENT_BY_TITLE, title))
        .or_else(|| first(EMPLOYMENT_BY_DESCRIPTION, description))
}

fn experience_level(source: &Words, title: &Words, description: &Words) -> Option<&'static str> {
    first(LEVEL_BY_TITLE, title)
        .or_else(|| first(LEVEL_BY_SOURCE, source))
        .or_else(|| {
            let years = description.years()?;
            LEVEL_BY_YEARS.iter().find(|(least, _)| years >= *least).map(|(_, level)| *level)
        })
        .or_else(|| first(LEVEL_BY_OFFICE, title))
}

fn practice_area(title: &Words, teams: &Words, description: &str) -> Option<&'static str> {
    first(AREAS, title).or_else(|| first(AREAS, teams)).or_else(|| {
        let beginning: String = description.chars().take(RELEVANT_BEGINNING).collect();
        let beginning = Words::of(&[beginning]);
        let counted = AREAS.iter().rev().map(|(area, terms)| (beginning.count(terms), *area));
        // A single mention does not count. Of equal counts the upper row of the table wins.
        counted.max_by_key(|(times, _)| *times).filter(|(times, _)| *times >= 2).map(|(_, area)| area)
    })
}

fn first(rules: Rules, words: &Words) -> Option<&'static str> {
    rules.iter().find(|(_, terms)| words.contains_any(terms)).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests;
