//! Job boards at Lever: `GET /v0/postings/{site}?mode=json`.

use chrono::DateTime;
use crawler::{
    fetch::{Document, Request},
    text,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Board, InvalidItem, Item, ItemHandler, MAX_DESCRIPTION, Page, SourcePosting, UnreadableResponse, join_path, json,
};
use crate::{config::Settings, dates::DateOrTime, salary::format_pay};

pub fn request(settings: &Settings, board: &Board) -> Result<Request, UnreadableResponse> {
    let mut url = join_path(&settings.lever_url, &["v0", "postings", &board.address])?;
    url.query_pairs_mut().append_pair("mode", "json");
    Ok(Request::new(url, "application/json"))
}

pub fn read(board: &Board, response: Document, to: &mut ItemHandler<'_>) -> Result<Page, UnreadableResponse> {
    json::each(response.body, &[], &mut |raw| to(item(raw, board)))?;
    Ok(Page::LAST)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Posting {
    text: String,
    hosted_url: String,
    #[serde(default, deserialize_with = "json::lenient")]
    categories: Option<Categories>,
    #[serde(default, deserialize_with = "json::lenient")]
    workplace_type: Option<String>,
    /// HTML, like the other texts.
    #[serde(default, deserialize_with = "json::lenient")]
    description: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    lists: Vec<List>,
    #[serde(default, deserialize_with = "json::lenient")]
    additional: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    salary_range: Option<Salary>,
    /// Milliseconds since 1970.
    #[serde(default, deserialize_with = "json::lenient")]
    created_at: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Categories {
    #[serde(default, deserialize_with = "json::lenient")]
    commitment: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    department: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    level: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    location: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    team: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    all_locations: Vec<String>,
}

#[derive(Deserialize)]
struct List {
    text: String,
    content: String,
}

#[derive(Deserialize)]
struct Salary {
    #[serde(default, deserialize_with = "json::lenient")]
    min: Option<f64>,
    #[serde(default, deserialize_with = "json::lenient")]
    max: Option<f64>,
    currency: String,
    #[serde(default, deserialize_with = "json::lenient")]
    interval: Option<String>,
}

fn item(raw: &RawValue, board: &Board) -> Item {
    let posting: Posting = json::item(raw).ok_or(InvalidItem)?;
    let categories = posting.categories.unwrap_or_default();
    let mut html = posting.description.unwrap_or_default();
    for list in posting.lists {
        html.push_str(&format!("<h3>{}</h3><ul>{}</ul>", list.text, list.content));
    }
    html.push_str(&posting.additional.unwrap_or_default());
    let places = if categories.all_locations.is_empty() {
        categories.location.into_iter().collect()
    } else {
        categories.all_locations
    };
    let salary = posting.salary_range.and_then(|salary| {
        let interval = salary.interval.unwrap_or_default();
        format_pay(salary.min, salary.max, &salary.currency, &interval)
    });
    let created_at = posting.created_at.and_then(DateTime::from_timestamp_millis);
    Ok(Some(SourcePosting {
        url: posting.hosted_url,
        title: posting.text,
        company: board.name.clone(),
        teams: categories.department.into_iter().chain(categories.team).collect(),
        places,
        remote: posting.workplace_type.as_deref() == Some("remote"),
        description: text::plain(&html, MAX_DESCRIPTION),
        commitments: categories.commitment.into_iter().collect(),
        levels: categories.level.into_iter().collect(),
        salary,
        deadline: None,
        posted_at: created_at.and_then(|at| DateOrTime::Time(at).plausible()),
    }))
}
