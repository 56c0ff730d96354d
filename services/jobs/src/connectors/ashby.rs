//! Ashby's public job boards: `GET /posting-api/job-board/{board}?includeCompensation=true`.

use crawler::{
    fetch::{Ask, Document},
    text,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Board, Broken, Item, Listener, Page, Told, Unreadable, below, escaped, json, moment};
use crate::{config::Settings, derive::LONGEST_DESCRIPTION};

pub fn ask(settings: &Settings, board: &Board) -> Result<Ask, Unreadable> {
    let mut url = below(&settings.ashby_url, &["posting-api", "job-board", &board.address])?;
    url.query_pairs_mut().append_pair("includeCompensation", "true");
    Ok(Ask::new(url, "application/json"))
}

pub fn read(board: &Board, answer: Document, to: &mut Listener<'_>) -> Result<Page, Unreadable> {
    json::each(answer.body, &["jobs"], &mut |raw| to(item(raw, board)))?;
    Ok(Page::LAST)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    title: String,
    job_url: String,
    /// Some can be reached by their address only.
    #[serde(default, deserialize_with = "json::lenient")]
    is_listed: Option<bool>,
    #[serde(default, deserialize_with = "json::lenient")]
    department: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    team: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    location: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    secondary_locations: Vec<Place>,
    #[serde(default, deserialize_with = "json::lenient")]
    is_remote: Option<bool>,
    #[serde(default, deserialize_with = "json::lenient")]
    workplace_type: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    employment_type: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    description_html: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    description_plain: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    compensation: Option<Compensation>,
    #[serde(default, deserialize_with = "json::lenient")]
    published_at: Option<String>,
}

#[derive(Deserialize)]
struct Place {
    location: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Compensation {
    #[serde(default, deserialize_with = "json::lenient")]
    scrapeable_compensation_salary_summary: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    compensation_tier_summary: Option<String>,
}

fn item(raw: &RawValue, board: &Board) -> Item {
    let job: Job = json::item(raw).ok_or(Broken)?;
    if job.is_listed == Some(false) {
        return Ok(None);
    }
    let elsewhere = job.secondary_locations.into_iter().map(|place| place.location);
    let description = match (job.description_html, job.description_plain) {
        (Some(html), _) => text::plain(&html, LONGEST_DESCRIPTION),
        (None, Some(plain)) => text::plain(&escaped(&plain).replace('\n', "<br>"), LONGEST_DESCRIPTION),
        (None, None) => String::new(),
    };
    Ok(Some(Told {
        url: job.job_url,
        title: job.title,
        company: board.name.clone(),
        teams: job.department.into_iter().chain(job.team).collect(),
        places: job.location.into_iter().chain(elsewhere).collect(),
        remote: job.is_remote == Some(true) || job.workplace_type.as_deref() == Some("Remote"),
        description,
        commitments: job.employment_type.iter().map(|kind| apart(kind)).collect(),
        levels: Vec::new(),
        // The pay alone where it is told so; the other names equity too.
        salary: job
            .compensation
            .and_then(|pay| pay.scrapeable_compensation_salary_summary.or(pay.compensation_tier_summary)),
        deadline: None,
        posted_at: job.published_at.and_then(|raw| moment(&raw, false)),
    }))
}

/// `FullTime` as words.
fn apart(joined: &str) -> String {
    let mut words = String::new();
    for c in joined.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c);
    }
    words
}
