//! The demo: postings from a file in the binary, dated relative to today.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::Deserialize;

use super::{InvalidItem, ItemHandler, Page, SourcePosting, UnreadableResponse, json};
use crate::dates::DateOrTime;

const POSTINGS: &str = include_str!("../../demo/postings.json");

pub fn read(now: DateTime<Utc>, to: &mut ItemHandler<'_>) -> Result<Page, UnreadableResponse> {
    let today = now.date_naive();
    json::each(POSTINGS.as_bytes(), &[], &mut |raw| {
        let posting = json::item::<Posting>(raw).ok_or(InvalidItem);
        to(posting.map(|posting| Some(posting.on(today))))
    })?;
    Ok(Page::LAST)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Posting {
    number: u32,
    title: String,
    company: String,
    team: String,
    location: String,
    description: String,
    commitment: Option<String>,
    salary: Option<String>,
    posted_days_ago: i64,
    closes_in_days: Option<i64>,
}

impl Posting {
    fn on(self, today: NaiveDate) -> SourcePosting {
        SourcePosting {
            url: format!("portia:demo/jobs/{}", self.number),
            title: self.title,
            company: self.company,
            teams: vec![self.team],
            places: vec![self.location],
            description: self.description,
            commitments: self.commitment.into_iter().collect(),
            salary: self.salary,
            deadline: self.closes_in_days.map(|days| DateOrTime::Date(today + TimeDelta::days(days))),
            posted_at: Some(DateOrTime::Date(today - TimeDelta::days(self.posted_days_ago))),
            ..SourcePosting::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    #[test]
    fn every_posting_of_the_file_is_valid_and_has_a_unique_number() {
        let mut numbers = Vec::new();
        let read = read(DateTime::UNIX_EPOCH + TimeDelta::days(20_000), &mut |item| {
            numbers.push(item.unwrap().unwrap().url);
            ControlFlow::Continue(())
        });
        assert_eq!(read, Ok(Page::LAST));
        let count = numbers.len();
        numbers.sort();
        numbers.dedup();
        assert_eq!((numbers.len(), count), (15, 15));
    }
}
