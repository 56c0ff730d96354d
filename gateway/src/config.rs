//! The settings of the gateway, and the combinations it refuses.

use std::{net::IpAddr, path::PathBuf};

use chassis::config::{Error, Source};
use http::Uri;
use ipnet::IpNet;
use serde::Deserialize;

/// From here on a scale means "no limits", which is for a loopback only.
const NO_LIMITS: u32 = 1_000;

/// The settings as they are written.
#[derive(Debug, Deserialize)]
struct Written {
    /// Where browsers find Portia: `https://portia.example`. Unset on a loopback.
    public_origin: Option<String>,
    /// Proxies in front whose `X-Forwarded-For` is trusted: addresses or networks, separated by commas.
    trusted_hops: Option<String>,
    /// Multiplies every rate limit.
    #[serde(default = "one")]
    rate_limit_scale: u32,
    /// The web client's build; without one the gateway serves the API alone.
    web_dir: Option<PathBuf>,
    /// Requests under way at most; more are refused at once.
    #[serde(default = "default_in_flight")]
    in_flight: usize,
}

const fn one() -> u32 {
    1
}

const fn default_in_flight() -> usize {
    512
}

/// The settings as they are used.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where browsers find Portia; `None` on a loopback.
    pub public_origin: Option<Origin>,
    /// Proxies in front.
    pub trusted_hops: Vec<IpNet>,
    /// Multiplies every rate limit.
    pub rate_limit_scale: u32,
    /// The web client's build.
    pub web_dir: Option<PathBuf>,
    /// Requests under way at most.
    pub in_flight: usize,
}

/// Scheme and authority, as browsers write them in `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    fn parse(raw: &str) -> Option<Self> {
        let uri: Uri = raw.trim_end_matches('/').parse().ok()?;
        let http = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        let bare = matches!(uri.path_and_query().map(http::uri::PathAndQuery::as_str), None | Some("/"));
        (http && bare).then(|| Self(format!("{}://{}", uri.scheme_str().unwrap_or_default(), authority).to_lowercase()))
    }

    /// As browsers write it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether browsers reach it encrypted.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl Settings {
    /// Reads them whole.
    ///
    /// # Errors
    /// One sentence that names the variable.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let written: Written = source.extract()?;
        let public_origin = written
            .public_origin
            .map(|raw| {
                Origin::parse(&raw).ok_or_else(|| {
                    Error(format!("PORTIA_PUBLIC_ORIGIN: {raw} is no origin; it looks like https://portia.example."))
                })
            })
            .transpose()?;
        let trusted_hops = hops(written.trusted_hops.as_deref().unwrap_or_default())?;
        if written.rate_limit_scale >= NO_LIMITS && (public_origin.is_some() || !trusted_hops.is_empty()) {
            return Err(Error(format!(
                "PORTIA_RATE_LIMIT_SCALE: {} switches rate limits off, which a Portia with a public origin or a \
                 trusted hop must not do.",
                written.rate_limit_scale
            )));
        }
        Ok(Self {
            public_origin,
            trusted_hops,
            rate_limit_scale: written.rate_limit_scale,
            web_dir: written.web_dir,
            in_flight: written.in_flight,
        })
    }

    /// Whether browsers reach Portia encrypted.
    pub fn is_https(&self) -> bool {
        self.public_origin.as_ref().is_some_and(Origin::is_https)
    }
}

fn hops(raw: &str) -> Result<Vec<IpNet>, Error> {
    raw.split(',')
        .map(str::trim)
        .filter(|hop| !hop.is_empty())
        .map(|hop| {
            let address = hop.parse::<IpAddr>().map(IpNet::from);
            hop.parse::<IpNet>()
                .or(address)
                .map_err(|_| Error(format!("PORTIA_TRUSTED_HOPS: {hop} is neither an address nor a network.")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host_and_nothing_else() {
        for good in ["https://portia.example", "http://127.0.0.1:8080/", "https://PORTIA.example"] {
            assert!(Origin::parse(good).is_some(), "{good}");
        }
        for bad in ["portia.example", "https://", "ftp://x", "https://x/path", "https://u@x", "javascript:x"] {
            assert_eq!(Origin::parse(bad), None, "{bad}");
        }
        assert_eq!(Origin::parse("https://PORTIA.example").unwrap().as_str(), "https://portia.example");
    }

    #[test]
    fn rate_limits_cannot_be_switched_off_in_public() {
        let off = Source::default().with("rate_limit_scale", 1000);
        assert_eq!(Settings::read(&off).unwrap().rate_limit_scale, 1000);
        for (field, value) in [("public_origin", "https://portia.example"), ("trusted_hops", "10.0.0.0/8")] {
            let error = Settings::read(&off.clone().with(field, value)).unwrap_err();
            assert!(error.0.contains("PORTIA_RATE_LIMIT_SCALE"), "{error}");
            assert!(Settings::read(&Source::default().with(field, value)).is_ok());
        }
    }

    #[test]
    fn hops_are_addresses_or_networks() {
        assert_eq!(hops("10.0.0.0/8, 127.0.0.1,::1").unwrap().len(), 3);
        assert!(hops("proxy.example").is_err());
    }
}
