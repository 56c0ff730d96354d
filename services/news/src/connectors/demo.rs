//! The demo: made-up stories for a Portia that has no real ones yet, told in `demo/articles.json`.

use anyhow::Context as _;
use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use serde::Deserialize;

use super::Item;

const ARTICLES: &str = include_str!("../../demo/articles.json");

/// Where they would be read on: a name that is kept for examples, so nobody's.
const SITE: &str = "https://example.com/portia-demo/";

/// A story of the file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Story {
    slug: String,
    title: String,
    description: String,
    author: String,
    /// Before the day began, in UTC: the newsroom looks alive whenever somebody looks, and the same all day.
    hours_ago: i64,
}

/// All of them, as of today.
///
/// # Errors
/// When the file is damaged.
pub fn read(now: DateTime<Utc>) -> anyhow::Result<Vec<Item>> {
    let stories: Vec<Story> = serde_json::from_str(ARTICLES).context("demo/articles.json is damaged")?;
    let day = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    Ok(stories.into_iter().map(|story| story.into_item(day)).collect())
}

impl Story {
    fn into_item(self, day: DateTime<Utc>) -> Item {
        let url = format!("{SITE}{}", self.slug);
        Item {
            guid: Some(self.slug),
            canonical_url: url.clone(),
            url,
            title: self.title,
            description: Some(self.description),
            author: Some(self.author),
            published_at: Some(day - TimeDelta::hours(self.hours_ago)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crawler::{canonical::canonical, text};

    use super::*;

    #[test]
    fn the_file_holds_two_pages_of_stories_none_twice_and_none_in_the_future() {
        let now = DateTime::from_timestamp(1_772_442_000, 0).unwrap();
        let items = read(now).unwrap();
        assert!(items.len() > 12, "{} fill no second page", items.len());
        assert_eq!(items.iter().map(|item| &item.url).collect::<HashSet<_>>().len(), items.len());
        assert_eq!(items.iter().map(|item| item.published_at).collect::<HashSet<_>>().len(), items.len());
        for item in items {
            assert!(item.published_at.is_some_and(|at| at <= now), "{}", item.title);
            assert_eq!(canonical(&item.url.parse().unwrap()), item.canonical_url);
            assert_eq!(text::line(&item.title, 300), item.title, "already clean");
            let description = item.description.unwrap();
            assert_eq!(text::line(&description, 400), description, "already clean");
        }
    }
}
