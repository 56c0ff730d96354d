//! Greenhouse's job board interface: `GET /v1/boards/{token}/jobs?content=true`.

use crawler::{
    fetch::{Ask, Document},
    text,
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{Board, Broken, Item, Listener, Page, Told, Unreadable, below, json, moment};
use crate::{
    config::Settings,
    derive::{LONGEST_DESCRIPTION, money},
};

pub fn ask(settings: &Settings, board: &Board) -> Result<Ask, Unreadable> {
    let mut url = below(&settings.greenhouse_url, &["v1", "boards", &board.address, "jobs"])?;
    url.query_pairs_mut().append_pair("content", "true");
    Ok(Ask::new(url, "application/json"))
}

pub fn read(board: &Board, answer: Document, to: &mut Listener<'_>) -> Result<Page, Unreadable> {
    json::each(answer.body, &["jobs"], &mut |raw| to(item(raw, board)))?;
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
    /// HTML, escaped once more.
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
    /// Fields of the employer's own making.
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
}

fn item(raw: &RawValue, board: &Board) -> Item {
    let job: Job = json::item(raw).ok_or(Broken)?;
    let offices = job.offices.into_iter().map(|office| office.name);
    let place = job.location.map(|location| location.name).filter(|name| !name.trim().is_empty());
    let field = |words: &[&str]| -> Vec<String> {
        let asked = |field: &&Field| words.iter().any(|word| field.name.to_lowercase().contains(word));
        job.metadata.iter().filter(asked).filter_map(|field| field.value.as_str().map(str::to_owned)).collect()
    };
    let pay = job.pay_input_ranges.first();
    Ok(Some(Told {
        commitments: field(&["employment type", "time type", "job type"]),
        levels: field(&["level", "seniority"]),
        remote: field(&["workplace", "remote"]).iter().any(|value| value.to_lowercase().contains("remote")),
        url: job.absolute_url,
        title: job.title,
        company: job.company_name.unwrap_or_else(|| board.name.clone()),
        teams: job.departments.into_iter().map(|department| department.name).collect(),
        places: place.map_or_else(|| offices.collect(), |place| vec![place]),
        description: text::plain(&text::unescape(&job.content.unwrap_or_default()), LONGEST_DESCRIPTION),
        salary: pay
            .and_then(|pay| money(Some(pay.min_cents / 100.0), Some(pay.max_cents / 100.0), &pay.currency_type, "")),
        deadline: job.application_deadline.and_then(|raw| moment(&raw, true)),
        // Older boards tell only when it was last touched.
        posted_at: [job.first_published, job.updated_at].into_iter().flatten().find_map(|raw| moment(&raw, false)),
    }))
}
