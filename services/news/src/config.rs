//! The settings of the service.

use std::{collections::HashSet, num::NonZeroU16, str::FromStr as _, time::Duration};

use chassis::config::Error;
use crawler::fetch::AdmittedHosts;
use serde::Deserialize;
use url::Url;

use crate::connectors::Connector;

/// The sources of the specification. The filter lists them even when they are not crawled.
pub const BUILT_IN_SOURCES: [&str; 4] = ["above_the_law", "law_com", "law_school_org", "aba"];

/// The source of fictitious articles.
pub const DEMO: &str = "demo";

/// The default of `PORTIA_NEWS_FEEDS`. Feeds move, so their addresses are configuration.
const DEFAULT_FEEDS: &str = "demo,\
    above_the_law=https://abovethelaw.com/feed/,\
    law_com=https://www.law.com/feed/,\
    aba=https://www.abajournal.com/feed,\
    law_school_org=https://www.jurist.org/news/feed/";

/// The most feeds.
const MAX_FEEDS: usize = 50;

/// The longest address in bytes.
const MAX_ADDRESS: usize = 2_048;

/// Whether external sources are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crawl {
    #[default]
    On,
    /// Only the demo is read.
    Off,
}

/// The settings, in addition to the settings of every process.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_CRAWL`: `on` (the default), or `off` to read no external source.
    #[serde(default)]
    pub crawl: Crawl,
    /// `PORTIA_CRAWL_ADMIT`: `host:port`, separated by commas, that may be private and use plain HTTP, such as mirrors in
    /// a closed network.
    #[serde(default)]
    crawl_admit: String,
    /// `PORTIA_NEWS_FEEDS`: `id=https://..`, separated by commas, and `demo` for fictitious articles while there are no
    /// real ones; `none` for no source. By default the demo and the four sources of the specification.
    news_feeds: Option<String>,
    /// `PORTIA_NEWS_EVERY_HOURS`: the interval between two crawls of a feed; 12 by default, as the page says.
    #[serde(default = "twelve")]
    news_every_hours: NonZeroU16,
}

const fn twelve() -> NonZeroU16 {
    NonZeroU16::MIN.saturating_add(11)
}

/// The validated settings of crawling.
#[derive(Clone, Debug)]
pub struct CrawlPlan {
    /// The sources.
    pub feeds: Vec<Feed>,
    /// The interval between two crawls of a source.
    pub every: Duration,
    /// Hosts that may have private addresses.
    pub admitted: AdmittedHosts,
}

/// A configured source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    pub id: String,
    pub name: String,
    pub connector: Connector,
    /// Empty for the demo.
    pub address: String,
}

impl Settings {
    /// Validates the settings.
    ///
    /// # Errors
    /// A sentence that names the variable.
    pub fn plan(&self) -> Result<CrawlPlan, Error> {
        let admitted = AdmittedHosts::from_str(&self.crawl_admit);
        let admitted = admitted.map_err(|error| Error(format!("PORTIA_CRAWL_ADMIT: {error}")))?;
        let every = Duration::from_secs(u64::from(self.news_every_hours.get()) * 60 * 60);
        Ok(CrawlPlan { feeds: self.feeds()?, every, admitted })
    }

    fn feeds(&self) -> Result<Vec<Feed>, Error> {
        let list = self.news_feeds.as_deref().unwrap_or(DEFAULT_FEEDS).trim();
        if list == "none" {
            return Ok(Vec::new());
        }
        let entries = list.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let mut feeds = entries.map(Feed::parse).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let ids: HashSet<&str> = feeds.iter().map(|feed| feed.id.as_str()).collect();
        if ids.len() < feeds.len() {
            return Err(refused("an id stands there twice".to_owned()));
        }
        if feeds.is_empty() || feeds.len() > MAX_FEEDS {
            return Err(refused(format!("name 1 to {MAX_FEEDS} feeds, or none")));
        }
        if self.crawl == Crawl::Off {
            feeds.retain(|feed| feed.connector == Connector::Demo);
        }
        Ok(feeds)
    }
}

fn refused(why: String) -> Error {
    Error(format!("PORTIA_NEWS_FEEDS: {why}."))
}

impl Feed {
    fn parse(entry: &str) -> Result<Self, String> {
        if entry == DEMO {
            let (id, name) = (DEMO.to_owned(), "Portia demo".to_owned());
            return Ok(Self { id, name, connector: Connector::Demo, address: String::new() });
        }
        // The message does not repeat the invalid entry: an address may hold a key.
        let (id, address) = entry.split_once('=').ok_or("each feed is written id=https://..")?;
        if !is_id(id) || id == DEMO {
            return Err("an id is small letters and digits in words joined by _, and not demo".to_owned());
        }
        let is_web = |url: &Url| {
            matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none()
        };
        let url = Url::parse(address).ok().filter(is_web).filter(|url| url.as_str().len() <= MAX_ADDRESS);
        let url = url.ok_or_else(|| format!("the address of {id} is no http(s) address"))?;
        Ok(Self { id: id.to_owned(), name: name_of(id), connector: Connector::Rss, address: url.into() })
    }
}

/// At most 64 characters; words, so that no two ids have one name.
fn is_id(id: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    id.len() <= 64 && id.starts_with(|first: char| first.is_ascii_lowercase()) && id.split('_').all(word)
}

/// Returns the name that the specification gives to its four sources; other sources are called by their id.
fn name_of(id: &str) -> String {
    match id {
        "above_the_law" => "Above the Law".to_owned(),
        "law_com" => "Law.com".to_owned(),
        "law_school_org" => "LawSchool.org".to_owned(),
        "aba" => "ABA Journal".to_owned(),
        other => other.split('_').map(capitalised).collect::<Vec<_>>().join(" "),
    }
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
    format!("{}{rest}", first.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use chassis::config::{Source, variables::default_of};

    use super::*;

    fn settings(fields: &[(&str, &str)]) -> Settings {
        let source = fields.iter().fold(Source::default(), |source, (field, value)| source.with(field, value));
        source.extract().unwrap()
    }

    fn feeds(list: &str) -> Result<Vec<Feed>, Error> {
        settings(&[("news_feeds", list)]).plan().map(|plan| plan.feeds)
    }

    #[test]
    fn the_default_sources_are_crawled_every_twelve_hours() {
        let CrawlPlan { feeds, every, .. } = settings(&[]).plan().unwrap();
        let names: Vec<_> = feeds.iter().map(|feed| (feed.id.as_str(), feed.name.as_str())).collect();
        let expected = [
            ("demo", "Portia demo"),
            ("above_the_law", "Above the Law"),
            ("law_com", "Law.com"),
            ("aba", "ABA Journal"),
            ("law_school_org", "LawSchool.org"),
        ];
        assert_eq!(names, expected);
        for id in BUILT_IN_SOURCES {
            assert!(feeds.iter().any(|feed| feed.id == id && feed.address.starts_with("https://")), "{id}");
        }
        assert_eq!(every, Duration::from_secs(12 * 60 * 60));
        assert_eq!(default_of("PORTIA_NEWS_EVERY_HOURS").as_deref(), Some("12"));
    }

    #[test]
    fn configured_feeds_are_crawled() {
        let read = feeds(" scotus_blog2=https://example.org/feed , demo,").unwrap();
        assert_eq!(read.iter().map(|feed| feed.name.as_str()).collect::<Vec<_>>(), ["Scotus Blog2", "Portia demo"]);
        assert_eq!(feeds("none").unwrap(), []);
    }

    #[test]
    fn without_crawling_only_the_demo_is_read() {
        let off = settings(&[("crawl", "off")]).plan().unwrap().feeds;
        assert_eq!(off.iter().map(|feed| feed.id.as_str()).collect::<Vec<_>>(), ["demo"]);
    }

    #[test]
    fn an_invalid_setting_is_a_sentence_without_secrets() {
        for bad in [
            "",
            "aba",
            "aba=",
            "aba=feed",
            "aba=ftp://example.org/",
            "aba=https://u:secret@example.org/",
            "ABA=https://example.org/?key=secret",
            "a__b=https://example.org/",
            "_a=https://example.org/",
            "1a=https://example.org/",
            "demo=https://example.org/",
            "a=https://example.org/,a=https://example.com/",
            "demo,demo",
            &"a".repeat(65),
            &(0..=MAX_FEEDS).map(|n| format!("a{n}=https://example.org/")).collect::<Vec<_>>().join(","),
        ] {
            let refused = feeds(bad).unwrap_err().to_string();
            assert!(refused.starts_with("PORTIA_NEWS_FEEDS: ") && !refused.contains("secret"), "{bad:.30}: {refused}");
        }
        let wrong = settings(&[("crawl_admit", "not an address")]).plan().map(drop).unwrap_err();
        assert!(wrong.to_string().starts_with("PORTIA_CRAWL_ADMIT: "), "{wrong}");
        let wrong = Source::default().with("crawl", "sometimes").extract::<Settings>().unwrap_err();
        assert!(wrong.to_string().contains("PORTIA_CRAWL"), "{wrong}");
        let wrong = Source::default().with("news_every_hours", 0).extract::<Settings>().unwrap_err();
        assert!(wrong.to_string().contains("PORTIA_NEWS_EVERY_HOURS"), "{wrong}");
    }
}
