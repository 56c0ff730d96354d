//! The demo: fictitious articles from `demo/articles.json`, shown while there are no real ones.

use anyhow::Context as _;
use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use serde::Deserialize;

use super::Item;

const ARTICLES: &str = include_str!("../../demo/articles.json");

/// The address prefix of the articles, in a domain reserved for examples.
const SITE: &str = "https://example.com/portia-demo/";

/// An entry of the file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DemoArticle {
    slug: String,
    title: String,
    description: String,
    author: String,
    /// Hours before the start of today (UTC), so that the articles are always recent and the same all day.
    hours_ago: i64,
}

/// Reads all articles, dated relative to today.
///
/// # Errors
/// When the file is invalid.
pub fn read(now: DateTime<Utc>) -> anyhow::Result<Vec<Item>> {
    let articles: Vec<DemoArticle> = serde_json::from_str(ARTICLES).context("demo/articles.json is invalid")?;
    let day = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    Ok(articles.into_iter().map(|article| article.into_item(day, now)).collect())
}

impl DemoArticle {
    fn into_item(self, day: DateTime<Utc>, now: DateTime<Utc>) -> Item {
        let url = format!("{SITE}{}", self.slug);
        Item {
            guid: Some(self.slug),
            canonical_url: url.clone(),
            exact_url: url.clone(),
            url,
            title: self.title,
            description: Some(self.description),
            author: Some(self.author),
            published_at: Some(day - TimeDelta::hours(self.hours_ago)),
            published_date: None,
            found_at: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crawler::{canonical::canonical, text};

    use super::*;

    #[test]
    fn the_file_fills_two_pages_without_duplicates_or_future_dates() {
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
