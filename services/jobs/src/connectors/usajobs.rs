//! USAJOBS: `GET /api/Search?JobCategoryCode=0905`, with a key.

use crawler::{
    fetch::{Document, Request},
    text,
};
use http::{HeaderName, HeaderValue, header::USER_AGENT};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Board, InvalidItem, Item, ItemHandler, MAX_DESCRIPTION, Page, SourcePosting, UnreadableResponse, join_path, json,
};
use crate::{config::Settings, dates::DateOrTime, salary::format_pay};

/// The maximum of USAJOBS.
const PAGE_SIZE: u32 = 500;

pub fn request(settings: &Settings, board: &Board, page: u32) -> Result<Request, UnreadableResponse> {
    let (key, email) = settings.usajobs_key.as_ref().zip(settings.usajobs_email.as_ref()).ok_or(UnreadableResponse)?;
    let mut key = HeaderValue::from_str(key.expose()).map_err(|_| UnreadableResponse)?;
    key.set_sensitive(true);
    let email = HeaderValue::from_str(email).map_err(|_| UnreadableResponse)?;
    let mut url = join_path(&settings.usajobs_url, &["api", "Search"])?;
    url.query_pairs_mut()
        .append_pair("JobCategoryCode", &board.address)
        .append_pair("ResultsPerPage", &PAGE_SIZE.to_string())
        .append_pair("Page", &page.to_string());
    let headers = vec![(HeaderName::from_static("authorization-key"), key), (USER_AGENT, email)];
    Ok(Request { headers, ..Request::new(url, "application/json") })
}

pub fn read(response: Document, to: &mut ItemHandler<'_>) -> Result<Page, UnreadableResponse> {
    let items = json::each(response.body, &["SearchResult", "SearchResultItems"], &mut |raw| to(item(raw)))?;
    Ok(Page { more: items >= PAGE_SIZE, ..Page::LAST })
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Match {
    matched_object_descriptor: Position,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Position {
    position_title: String,
    #[serde(rename = "PositionURI")]
    position_uri: String,
    organization_name: String,
    #[serde(default, deserialize_with = "json::lenient")]
    department_name: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    position_location_display: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    position_location: Vec<Place>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    position_schedule: Vec<Named>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    position_offering_type: Vec<Named>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    position_remuneration: Vec<Pay>,
    #[serde(default, deserialize_with = "json::lenient")]
    qualification_summary: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    publication_start_date: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    application_close_date: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    user_area: Option<UserArea>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Place {
    location_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Named {
    name: String,
}

/// Numbers come as text.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Pay {
    minimum_range: String,
    maximum_range: String,
    rate_interval_code: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct UserArea {
    details: Details,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Details {
    #[serde(default, deserialize_with = "json::lenient")]
    job_summary: Option<String>,
    #[serde(default, deserialize_with = "json::lenient_list")]
    major_duties: Vec<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    low_grade: Option<String>,
    #[serde(default, deserialize_with = "json::lenient")]
    remote_indicator: Option<bool>,
}

/// The grades of the General Schedule at which attorneys begin, and from which they are experienced.
const GRADES: [(&str, &str); 9] = [
    ("07", "entry level"),
    ("09", "entry level"),
    ("11", "entry level"),
    ("12", "mid level"),
    ("13", "mid level"),
    ("14", "senior"),
    ("15", "senior"),
    ("7", "entry level"),
    ("9", "entry level"),
];

fn item(raw: &RawValue) -> Item {
    let found: Match = json::item(raw).ok_or(InvalidItem)?;
    let position = found.matched_object_descriptor;
    let details = position.user_area.map(|area| area.details).unwrap_or_default();
    let places: Vec<String> = position.position_location.into_iter().map(|place| place.location_name).collect();
    // For hundreds of places the source states 'Multiple Locations', for a few it names them.
    let places =
        if (1..=5).contains(&places.len()) { places } else { position.position_location_display.into_iter().collect() };
    let mut html = details.job_summary.unwrap_or_default();
    for part in details.major_duties.into_iter().chain(position.qualification_summary) {
        html.push_str("<br><br>");
        html.push_str(&part);
    }
    let grade = details.low_grade.unwrap_or_default();
    let level = GRADES.iter().find(|(known, _)| *known == grade.trim()).map(|(_, level)| (*level).to_owned());
    let salary = position.position_remuneration.first().and_then(|pay| {
        let interval = match pay.rate_interval_code.as_str() {
            "PA" | "Per Year" => "year",
            "PH" | "Per Hour" => "hour",
            // Without compensation, per fee basis, and others: none is a salary.
            _ => return None,
        };
        format_pay(pay.minimum_range.parse().ok(), pay.maximum_range.parse().ok(), "USD", interval)
    });
    // An offer that is not permanent says more than its hours.
    let offered = position.position_offering_type.into_iter().chain(position.position_schedule);
    Ok(Some(SourcePosting {
        url: position.position_uri,
        title: position.position_title,
        company: position.organization_name,
        // An attorney of the government works in government law.
        teams: position.department_name.into_iter().chain(["Government".to_owned()]).collect(),
        places,
        remote: details.remote_indicator == Some(true),
        description: text::plain(&html, MAX_DESCRIPTION),
        commitments: offered.map(|named| named.name).collect(),
        levels: level.into_iter().collect(),
        salary,
        deadline: position.application_close_date.as_deref().and_then(DateOrTime::parse),
        posted_at: position.publication_start_date.as_deref().and_then(DateOrTime::parse),
    }))
}
