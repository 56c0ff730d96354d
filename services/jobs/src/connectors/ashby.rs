//! Job boards at Ashby: `GET /posting-api/job-board/{board}?includeCompensation=true`.

use crawler::{
    fetch::{Document, Request},
    text,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Board, InvalidItem, Item, ItemHandler, MAX_DESCRIPTION, Page, SourcePosting, UnreadableResponse, escape_html,
    join_path, json,
};
use crate::{
    config::Settings,
    dates::DateOrTime,
    salary::{format_pay, read_summary},
};

pub fn request(settings: &Settings, board: &Board) -> Result<Request, UnreadableResponse> {
    let mut url = join_path(&settings.ashby_url, &["posting-api", "job-board", &board.address])?;
    url.query_pairs_mut().append_pair("includeCompensation", "true");
    Ok(Request::new(url, "application/json"))
}

pub fn read(board: &Board, response: Document, to: &mut ItemHandler<'_>) -> Result<Page, UnreadableResponse> {
    json::each(response.body, &["jobs"], &mut |raw| to(item(raw, board)))?;
    Ok(Page::LAST)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Job {
    title: String,
    job_url: String,
    /// Unlisted postings are reachable by their address only.
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
    #[serde(default, deserialize_with = "json::lenient_list")]
    summary_components: Vec<Component>,
    #[serde(default, deserialize_with = "json::lenient")]
    scrapeable_compensation_salary_summary: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    compensation_tier_summary: Option<String>,
}

/// A part of the compensation: a salary, or equity, a bonus, a commission.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    compensation_type: String,
    #[serde(default, deserialize_with = "json::lenient")]
    interval: Option<String>,
    currency_code: String,
    #[serde(default, deserialize_with = "json::lenient")]
    min_value: Option<f64>,
    #[serde(default, deserialize_with = "json::lenient")]
    max_value: Option<f64>,
}

impl Compensation {
    /// Returns the salary from its numbers, else from the summary, which may also contain equity.
    fn salary(self) -> Option<String> {
        let salary = self.summary_components.iter().find(|part| part.compensation_type == "Salary").and_then(|part| {
            format_pay(
                part.min_value,
                part.max_value,
                &part.currency_code,
                part.interval.as_deref().unwrap_or_default(),
            )
        });
        salary
            .or_else(|| read_summary(&self.scrapeable_compensation_salary_summary.or(self.compensation_tier_summary)?))
    }
}

fn item(raw: &RawValue, board: &Board) -> Item {
    let job: Job = json::item(raw).ok_or(InvalidItem)?;
    if job.is_listed == Some(false) {
        return Ok(None);
    }
    let elsewhere = job.secondary_locations.into_iter().map(|place| place.location);
    let description = match (job.description_html, job.description_plain) {
        (Some(html), _) => text::plain(&html, MAX_DESCRIPTION),
        (None, Some(plain)) => text::plain(&escape_html(&plain).replace('\n', "<br>"), MAX_DESCRIPTION),
        (None, None) => String::new(),
    };
    Ok(Some(SourcePosting {
        url: job.job_url,
        title: job.title,
        company: board.name.clone(),
        teams: job.department.into_iter().chain(job.team).collect(),
        places: job.location.into_iter().chain(elsewhere).collect(),
        remote: job.is_remote == Some(true) || job.workplace_type.as_deref() == Some("Remote"),
        description,
        commitments: job.employment_type.iter().map(|kind| split_words(kind)).collect(),
        levels: Vec::new(),
        salary: job.compensation.and_then(Compensation::salary),
        deadline: None,
        posted_at: job.published_at.as_deref().and_then(DateOrTime::parse),
    }))
}

/// Splits `FullTime` into words.
fn split_words(joined: &str) -> String {
    let mut words = String::new();
    for c in joined.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c);
    }
    words
}
