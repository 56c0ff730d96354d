//! What a posting is, from what its source says: `rules` is the table, and this is how it is read.

mod place;
mod rules;
mod salary;
mod words;

use chrono::{DateTime, Utc};
use crawler::{canonical, text};
use primitives::input::Link;
use url::Url;

use crate::{
    connectors::{Broken, Connector, Told},
    ingest::Found,
};
use rules::{
    AREAS, EMPLOYMENT_BY_COMMITMENT, EMPLOYMENT_BY_DESCRIPTION, EMPLOYMENT_BY_TITLE, INTERNS, LEGAL_OFFICES,
    LEGAL_WORDS, LEVEL_BY_OFFICE, LEVEL_BY_SOURCE, LEVEL_BY_TITLE, LEVEL_BY_YEARS, OTHER_TRADES, Rules,
};
pub use salary::money;
use words::Words;

/// The longest description kept, in characters.
pub const LONGEST_DESCRIPTION: usize = 12_000;
const LONGEST_TITLE: usize = 200;
const LONGEST_COMPANY: usize = 120;
const LONGEST_SALARY: usize = 120;
/// As much of a description says what kind of work it is; the rest is about the employer.
const TELLING: usize = 3_000;

/// What is kept of what a source told; `None` for work that is not legal, and what nobody can apply for any more.
///
/// # Errors
/// [`Broken`] without a title, an employer or an address.
pub fn posting(connector: Connector, told: Told, now: DateTime<Utc>) -> Result<Option<Found>, Broken> {
    let title = text::line(&told.title, LONGEST_TITLE);
    let company = text::line(&told.company, LONGEST_COMPANY);
    let url = Url::parse(told.url.trim()).map_err(|_| Broken)?;
    let external_url = match connector {
        Connector::Demo => None,
        _ => Some(Link::parse("url", url.as_str()).map_err(|_| Broken)?.into_string()),
    };
    if title.is_empty() || company.is_empty() {
        return Err(Broken);
    }
    let (in_title, in_teams) = (Words::of(&[&title]), Words::of(&told.teams));
    if connector.lists_everything() && !is_legal(&in_title, &in_teams) {
        return Ok(None);
    }
    if told.deadline.is_some_and(|deadline| deadline <= now) {
        return Ok(None);
    }
    let in_description = Words::of(&[&told.description]);
    let (location, remote) = place::location(&told.places, told.remote, &in_title);
    let salary =
        told.salary.as_deref().map(|salary| text::line(salary, LONGEST_SALARY)).filter(|text| !text.is_empty());
    Ok(Some(Found {
        fingerprint: canonical::fingerprint(&[&title, &company, location.as_deref().unwrap_or_default()]),
        url: canonical::canonical(&url),
        employment_type: employment_type(&Words::of(&told.commitments), &in_title, &in_description),
        experience_level: experience_level(&Words::of(&told.levels), &in_title, &in_description),
        practice_area: practice_area(&in_title, &in_teams, &told.description),
        salary: salary.or_else(|| salary::quoted(&told.description)),
        title,
        company,
        location,
        remote,
        description: told.description,
        application_deadline: told.deadline,
        external_url,
        posted_at: told.posted_at.filter(|at| *at <= now),
    }))
}

/// Whether a title, or the department it is in, is legal work.
fn is_legal(title: &Words, teams: &Words) -> bool {
    title.say(LEGAL_OFFICES) || ((title.say(LEGAL_WORDS) || teams.say(LEGAL_WORDS)) && !title.say(OTHER_TRADES))
}

fn employment_type(commitment: &Words, title: &Words, description: &Words) -> Option<&'static str> {
    // An internship is one even where the hours are told beside it.
    let intern = title.say(INTERNS).then_some("internship");
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
        let telling: String = description.chars().take(TELLING).collect();
        let telling = Words::of(&[telling]);
        let counted = AREAS.iter().rev().map(|(area, terms)| (telling.count(terms), *area));
        // Once is in passing. Of equals the last is taken, which is the upper in the table.
        counted.max_by_key(|(times, _)| *times).filter(|(times, _)| *times >= 2).map(|(_, area)| area)
    })
}

fn first(rules: Rules, words: &Words) -> Option<&'static str> {
    rules.iter().find(|(_, terms)| words.say(terms)).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests;
