//! The settings of the service: the sources, the interval, and the addresses of the job boards.

use std::{fmt, num::NonZeroU8, str::FromStr as _, time::Duration};

use anyhow::{Context as _, bail};
use crawler::fetch::AdmittedHosts;
use serde::Deserialize;
use url::Url;

use crate::{connectors::Connector, sources::ConfiguredSource};

/// The default of `PORTIA_JOBS_SOURCES`. Boards disappear when employers change their provider; the status page shows it.
const DEFAULT_SOURCES: &str =
    "demo, greenhouse:aclu=ACLU, greenhouse:everlaw=Everlaw, lever:atticus=Atticus, ashby:harvey=Harvey";
/// The occupational series of general attorneys at USAJOBS.
const ATTORNEYS: &str = "0905";

/// The settings, in addition to those of every process.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_CRAWL`: `on`, or `off` to read no external source: only the demo.
    #[serde(default)]
    pub crawl: Crawl,
    /// `PORTIA_CRAWL_ADMIT`: `host:port, ..` that may be private or use plain HTTP, such as a mirror in a closed network.
    #[serde(default)]
    pub crawl_admit: String,
    /// `PORTIA_JOBS_SOURCES`: `connector:address=Name, ..`, or `none`. greenhouse, lever and ashby take a board's token,
    /// rss a feed's address (a comma in it written as %2C), usajobs an occupational series (0905 by default); `demo`
    /// is fictitious and shown while no other source has a posting. Without it: [`DEFAULT_SOURCES`], and USAJOBS with a key.
    pub jobs_sources: Option<String>,
    /// `PORTIA_JOBS_EVERY_HOURS`: the interval between two crawls of a source.
    #[serde(default = "six")]
    pub jobs_every_hours: NonZeroU8,
    /// `PORTIA_USAJOBS_KEY`: the key of USAJOBS, which gives one on request.
    pub usajobs_key: Option<Secret>,
    /// `PORTIA_USAJOBS_EMAIL`: the e-mail address of the key, which USAJOBS requires as User-Agent.
    pub usajobs_email: Option<String>,
    /// `PORTIA_GREENHOUSE_URL`: the address of Greenhouse.
    #[serde(default = "greenhouse")]
    pub greenhouse_url: Url,
    /// `PORTIA_LEVER_URL`: the address of Lever.
    #[serde(default = "lever")]
    pub lever_url: Url,
    /// `PORTIA_ASHBY_URL`: the address of Ashby.
    #[serde(default = "ashby")]
    pub ashby_url: Url,
    /// `PORTIA_USAJOBS_URL`: the address of USAJOBS.
    #[serde(default = "usajobs")]
    pub usajobs_url: Url,
}

/// Whether external sources are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crawl {
    /// All configured sources are read.
    /// All configured sources are read.
    #[default]
    On,
    /// Only the demo is read.
    Off,
}

/// A setting that is never logged.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret, for its request header.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Settings {
    /// The configured sources, in their order.
    ///
    /// # Errors
    /// A sentence that names the setting and the invalid entry.
    pub fn sources(&self) -> anyhow::Result<Vec<ConfiguredSource>> {
        let named = match self.jobs_sources.as_deref().map(str::trim) {
            None => {
                let usajobs = if self.usajobs_key.is_some() { ", usajobs" } else { "" };
                parse(&format!("{DEFAULT_SOURCES}{usajobs}"))?
            }
            Some("none" | "") => Vec::new(),
            Some(named) => parse(named)?,
        };
        let incomplete = self.usajobs_key.is_none() || self.usajobs_email.is_none();
        if incomplete && named.iter().any(|source| source.connector == Connector::Usajobs) {
            bail!("PORTIA_JOBS_SOURCES: usajobs wants PORTIA_USAJOBS_KEY and PORTIA_USAJOBS_EMAIL.");
        }
        let external = self.crawl == Crawl::On;
        Ok(named.into_iter().filter(|source| external || source.connector == Connector::Demo).collect())
    }

    /// Hosts and ports that may be private.
    ///
    /// # Errors
    /// A sentence that names the setting.
    pub fn admitted(&self) -> anyhow::Result<AdmittedHosts> {
        AdmittedHosts::from_str(&self.crawl_admit)
            .map_err(|_| anyhow::anyhow!("PORTIA_CRAWL_ADMIT: write host:port, separated by commas."))
    }

    /// The interval between two crawls of a source.
    #[must_use]
    pub fn every(&self) -> Duration {
        Duration::from_hours(u64::from(self.jobs_every_hours.get()))
    }
}

fn parse(named: &str) -> anyhow::Result<Vec<ConfiguredSource>> {
    let mut sources: Vec<ConfiguredSource> = Vec::new();
    for entry in named.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
        let source = parse_entry(entry).with_context(|| format!("PORTIA_JOBS_SOURCES: '{entry}' is no source"))?;
        if sources.iter().any(|other| (other.connector, &other.address) == (source.connector, &source.address)) {
            bail!("PORTIA_JOBS_SOURCES: '{entry}' is named twice.");
        }
        sources.push(source);
    }
    Ok(sources)
}

fn parse_entry(entry: &str) -> anyhow::Result<ConfiguredSource> {
    // From the end: the address of a feed may contain `=`.
    let (source, name) = match entry.rsplit_once('=') {
        Some((source, name)) => (source.trim(), Some(name.trim())),
        None => (entry, None),
    };
    let (connector, address) = source.split_once(':').unwrap_or((source, ""));
    let connector = Connector::parse(connector.trim())
        .context("the connectors are greenhouse, lever, ashby, usajobs, rss and demo.")?;
    let address = match (connector, address.trim()) {
        (Connector::Usajobs, "") => ATTORNEYS,
        (Connector::Demo, "") => "",
        (Connector::Demo, _) => bail!("the demo has no address."),
        (_, "") => bail!("after the connector comes a colon and what to ask."),
        (Connector::Rss, feed) => {
            let link = Url::parse(feed).context("this feed's address cannot be read.")?;
            if !matches!(link.scheme(), "http" | "https") || !link.has_host() {
                bail!("a feed's address begins with https://.");
            }
            feed
        }
        (_, token) if token.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')) => token,
        _ => bail!("a board's token has letters, digits, dots, hyphens and underscores."),
    };
    let name = match (connector, name) {
        (_, Some(name)) if (1..=80).contains(&name.chars().count()) => name,
        (Connector::Demo, None) => "Demo",
        (Connector::Usajobs, None) => "USAJOBS",
        _ => bail!("it ends with '=' and the name people read, of at most 80 characters."),
    };
    Ok(ConfiguredSource { connector, address: address.to_owned(), name: name.to_owned() })
}

const fn six() -> NonZeroU8 {
    NonZeroU8::MIN.saturating_add(5)
}

fn greenhouse() -> Url {
    known("https://boards-api.greenhouse.io")
}

fn lever() -> Url {
    known("https://api.lever.co")
}

fn ashby() -> Url {
    known("https://api.ashbyhq.com")
}

fn usajobs() -> Url {
    known("https://data.usajobs.gov")
}

#[expect(clippy::expect_used, reason = "a constant, covered by a test")]
fn known(base: &str) -> Url {
    Url::parse(base).expect("an address")
}

#[cfg(test)]
mod tests {
    use chassis::config::{Source, variables::default_of};

    use super::*;

    fn settings(made: &[(&str, &str)]) -> Settings {
        made.iter().fold(Source::default(), |source, (field, value)| source.with(field, *value)).extract().unwrap()
    }

    fn parsed(made: &[(&str, &str)]) -> Vec<String> {
        let sources = settings(made).sources().unwrap();
        sources.iter().map(|s| format!("{} {} {}", s.connector.name(), s.address, s.name)).collect()
    }

    #[test]
    fn the_defaults_are_the_demo_four_boards_and_usajobs_with_a_key() {
        let boards =
            ["greenhouse aclu ACLU", "greenhouse everlaw Everlaw", "lever atticus Atticus", "ashby harvey Harvey"];
        assert_eq!(parsed(&[]), [&["demo  Demo"][..], &boards].concat());
        let key = [("usajobs_key", "k=="), ("usajobs_email", "ops@example.org")];
        assert_eq!(parsed(&key).last().map(String::as_str), Some("usajobs 0905 USAJOBS"));
        let default = settings(&[]);
        assert_eq!(default.every(), Duration::from_hours(6));
        for (name, value) in [
            ("PORTIA_JOBS_EVERY_HOURS", default.jobs_every_hours.to_string()),
            ("PORTIA_GREENHOUSE_URL", default.greenhouse_url.to_string()),
            ("PORTIA_LEVER_URL", default.lever_url.to_string()),
            ("PORTIA_ASHBY_URL", default.ashby_url.to_string()),
            ("PORTIA_USAJOBS_URL", default.usajobs_url.to_string()),
        ] {
            assert_eq!(default_of(name).as_deref(), Some(value.trim_end_matches('/')), "{name}");
        }
    }

    #[test]
    fn without_crawling_only_the_demo_is_read() {
        assert_eq!(parsed(&[("crawl", "off")]), ["demo  Demo"]);
        assert_eq!(parsed(&[("crawl", "off"), ("jobs_sources", "greenhouse:aclu=ACLU")]), Vec::<String>::new());
        assert_eq!(parsed(&[("jobs_sources", "none")]), Vec::<String>::new());
    }

    #[test]
    fn configured_sources_are_parsed() {
        let named = "rss:https://jobs.example.org/feed?kind=law=Law Jobs, lever: firm.co = A Firm ,";
        assert_eq!(
            parsed(&[("jobs_sources", named)]),
            ["rss https://jobs.example.org/feed?kind=law Law Jobs", "lever firm.co A Firm"],
        );
    }

    #[test]
    fn an_invalid_setting_is_a_sentence_with_its_name() {
        for wrong in [
            "workday:x=X",
            "greenhouse=X",
            "greenhouse:a/../b=X",
            "greenhouse:aclu",
            "greenhouse:aclu=",
            "rss:ftp://example.org=X",
            "rss:nowhere=X",
            "demo:here",
            "usajobs",
            "lever:a=A, lever:a=B",
        ] {
            let refused = format!("{:#}", settings(&[("jobs_sources", wrong)]).sources().unwrap_err());
            assert!(refused.starts_with("PORTIA_JOBS_SOURCES: "), "{wrong}: {refused}");
        }
        let refused = format!("{:#}", settings(&[("crawl_admit", "not a port")]).admitted().unwrap_err());
        assert!(refused.starts_with("PORTIA_CRAWL_ADMIT: "), "{refused}");
        for (field, value) in [("crawl", "perhaps"), ("jobs_every_hours", "0"), ("greenhouse_url", "here")] {
            let refused = Source::default().with(field, value).extract::<Settings>().unwrap_err();
            assert!(refused.to_string().contains(&format!("PORTIA_{}", field.to_uppercase())), "{refused}");
        }
    }

    #[test]
    fn a_key_is_never_formatted() {
        assert!(!format!("{:?}", settings(&[("usajobs_key", "hush")])).contains("hush"));
    }
}
