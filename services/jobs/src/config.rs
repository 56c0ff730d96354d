//! The settings of the service: the sources, the interval, and the addresses of the job boards.

use std::{fmt, num::NonZeroU8, str::FromStr as _, time::Duration};

use crawler::fetch::AdmittedHosts;
use serde::Deserialize;
use url::Url;

/// The settings, in addition to the settings of every process.
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
    /// is fictitious and shown while no other source has a posting. Without it: the demo, four boards, and USAJOBS with a key.
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

    #[test]
    fn the_interval_and_the_addresses_have_documented_defaults() {
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
    fn an_invalid_setting_is_a_sentence_with_its_name() {
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
