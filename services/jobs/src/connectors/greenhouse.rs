//! Job boards at Greenhouse: `GET /v1/boards/{token}/jobs?content=true`.

use crawler::{
    fetch::{Document, Request},
    text,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{
    Board, InvalidItem, Item, ItemHandler, MAX_DESCRIPTION, Page, SourcePosting, UnreadableResponse, join_path, json,
};
use crate::{
    config::Settings,
    dates::DateOrTime,
    salary::{format_pay, is_title_of_pay},
};

pub fn request(settings: &Settings, board: &Board) -> Result<Request, UnreadableResponse> {
    let mut url = join_path(&settings.greenhouse_url, &["v1", "boards", &board.address, "jobs"])?;
    url.query_pairs_mut().append_pair("content", "true");
    Ok(Request::new(url, "application/json"))
}

pub fn read(board: &Board, response: Document, to: &mut ItemHandler<'_>) -> Result<Page, UnreadableResponse> {
    json::each(response.body, &["jobs"], &mut |raw| to(item(raw, board)))?;
    Ok(Page::LAST)
}

#[derive(Deserialize)]
struct Job {
    absolute_url: String,
    title: String,
    #[serde(default, deserialize_with = "json::lenient")]
    location: Option<Named>,
    #[serde(default, deserialize_with = "json::lenient")]
    company_name: Option<String>,
    /// HTML, escaped twice.
    #[serde(default, deserialize_with = "json::lenient")]
    content: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    departments: Vec<Named>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    offices: Vec<Named>,
    #[serde(default, deserialize_with = "json::lenient")]
    first_published: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    updated_at: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    application_deadline: Option<String>,
    /// Fields defined by the employer.
    #[serde(default, deserialize_with = "json::lenient_list")]
    metadata: Vec<Field>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    pay_input_ranges: Vec<Pay>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    value: Value,
}

#[derive(Deserialize)]
struct Pay {
    min_cents: f64,
    max_cents: f64,
    currency_type: String,
    /// 'Base salary', 'Hourly rate', or another payment: 'Bonus'.
    #[serde(default, deserialize_with = "json::lenient")]
    title: Option<String>,
}

fn item(raw: &RawValue, board: &Board) -> Item {
    let job: Job = json::item(raw).ok_or(InvalidItem)?;
    let offices = job.offices.into_iter().map(|office| office.name);
    let place = job.location.map(|location| location.name).filter(|name| !name.trim().is_empty());
    let field = |words: &[&str]| -> Vec<String> {
        let matches = |field: &&Field| words.iter().any(|word| field.name.to_lowercase().contains(word));
        job.metadata.iter().filter(matches).filter_map(|field| field.value.as_str().map(str::to_owned)).collect()
    };
    let salary = job.pay_input_ranges.into_iter().find_map(|pay| {
        let title = pay.title.unwrap_or_default();
        let amounts = (Some(pay.min_cents / 100.0), Some(pay.max_cents / 100.0));
        if is_title_of_pay(&title) { format_pay(amounts.0, amounts.1, &pay.currency_type, &title) } else { None }
    });
    Ok(Some(SourcePosting {
        commitments: field(&["employment type", "time type", "job type"]),
        levels: field(&["level", "seniority"]),
        remote: field(&["workplace", "remote"]).iter().any(|value| value.to_lowercase().contains("remote")),
        url: job.absolute_url,
        title: job.title,
        company: job.company_name.unwrap_or_else(|| board.name.clone()),
        teams: job.departments.into_iter().map(|department| department.name).collect(),
        places: place.map_or_else(|| offices.collect(), |place| vec![place]),
        description: text::plain(&text::unescape(&job.content.unwrap_or_default()), MAX_DESCRIPTION),
        salary,
        deadline: job.application_deadline.as_deref().and_then(DateOrTime::parse),
        // Older boards have only the time of the last update.
        posted_at: [job.first_published, job.updated_at].into_iter().flatten().find_map(|raw| DateOrTime::parse(&raw)),
    }))
}
