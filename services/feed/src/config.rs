//! The settings of the service.

use std::str::FromStr as _;

use chassis::config::Error;
use crawler::fetch::AdmittedHosts;
use serde::Deserialize;
use url::Url;

/// Whether pages on the Internet are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Crawl {
    #[default]
    On,
    /// Links have no previews.
    Off,
}

/// The settings of this service, in addition to the common ones.
#[derive(Clone, Debug, Deserialize)]
pub struct Settings {
    /// `PORTIA_CRAWL`: `on` (the default), or `off` to read no page on the Internet.
    #[serde(default)]
    pub crawl: Crawl,
    /// `PORTIA_LINK_PREVIEW_ADMIT`: `host:port`, separated by commas, that may be private and use plain HTTP. Members choose the
    /// paths on them.
    #[serde(default)]
    link_preview_admit: String,
    /// `PORTIA_PUBLIC_ORIGIN`: the origin of the site. Links to it have no previews.
    public_origin: Option<String>,
    /// `PORTIA_RATE_LIMIT_SCALE`, which the gateway also reads: multiplies the allowance of comments of new accounts.
    #[serde(default = "one")]
    pub rate_limit_scale: u32,
    /// `PORTIA_RELEVANCE_POSTS`: the public posts with the highest ranks that are kept in memory for the relevant feed, 300 bytes each:
    /// those of more than three days, by which a connection's post ranks higher.
    #[serde(default = "default_relevance_posts")]
    pub relevance_posts: usize,
}

const fn one() -> u32 {
    1
}

/// Returns a number that suffices for 10,000 posts a day.
const fn default_relevance_posts() -> usize {
    50_000
}

impl Settings {
    /// Returns the admitted hosts.
    ///
    /// # Errors
    /// A sentence that names the variable.
    pub fn admitted(&self) -> Result<AdmittedHosts, Error> {
        let admitted = AdmittedHosts::from_str(&self.link_preview_admit);
        admitted.map_err(|error| Error(format!("PORTIA_LINK_PREVIEW_ADMIT: {error}")))
    }

    /// Returns the host of the site.
    pub fn own_host(&self) -> Option<String> {
        Url::parse(self.public_origin.as_deref()?).ok()?.host_str().map(str::to_owned)
    }
}
