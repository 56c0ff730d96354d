//! The settings of the gateway, and the combinations it refuses.

use std::{net::IpAddr, path::PathBuf};

use chassis::config::{Error, Source};
use http::{Uri, uri::Authority};
use ipnet::IpNet;
use serde::Deserialize;

/// From this scale on, rate limits are effectively off. That is allowed on a loopback only.
const NO_LIMITS: u32 = 1_000;

/// The settings as the operator wrote them.
#[derive(Debug, Deserialize)]
struct RawSettings {
    /// The origin of the site, `https://portia.example`. Unset on a loopback.
    public_origin: Option<String>,
    /// Proxies in front whose `X-Forwarded-For` is trusted: addresses or networks, separated by commas.
    trusted_hops: Option<String>,
    /// `PORTIA_SECURITY_CONTACT`: where vulnerabilities are reported, a `mailto:` or `https:` address for `security.txt`.
    security_contact: Option<String>,
    /// Multiplies every rate limit.
    #[serde(default = "one")]
    rate_limit_scale: u32,
    /// The folder with the build of the web client. Without it, the gateway serves the API only.
    web_dir: Option<PathBuf>,
    /// `PORTIA_PICTURE_KEYS`: files with secrets of at least 32 bytes, separated by commas, the same for all gateways. The first
    /// one signs the addresses of pictures, all are accepted.
    #[serde(default)]
    picture_keys: String,
    /// The maximum of concurrent requests. More are refused at once.
    #[serde(default = "default_in_flight")]
    in_flight: usize,
    /// The maximum of connections of one client: an IPv4 address, or an IPv6 network of 64 bits. Trusted hops are exempt.
    #[serde(default = "default_connections_per_client")]
    connections_per_client: usize,
}

const fn one() -> u32 {
    1
}

const fn default_in_flight() -> usize {
    512
}

const fn default_connections_per_client() -> usize {
    256
}

/// The validated settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The origin of the site; `None` on a loopback.
    pub public_origin: Option<Origin>,
    /// Proxies in front.
    pub trusted_hops: Vec<IpNet>,
    /// Where vulnerabilities are reported.
    pub security_contact: Option<String>,
    /// Multiplies every rate limit.
    pub rate_limit_scale: u32,
    /// The folder with the build of the web client.
    pub web_dir: Option<PathBuf>,
    /// The files with the secrets of the addresses of pictures.
    pub picture_keys: Vec<PathBuf>,
    /// The maximum of concurrent requests.
    pub in_flight: usize,
    /// The maximum of connections of one client.
    pub connections_per_client: usize,
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

    /// The origin as browsers send it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether only this machine reaches it.
    fn is_loopback(&self) -> bool {
        let authority = self.0.split("://").nth(1).unwrap_or_default();
        let host = authority.parse::<Authority>().map(|authority| authority.host().to_owned()).unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
    }

    /// Whether the scheme is https.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl Settings {
    /// Reads and validates the settings.
    ///
    /// # Errors
    /// One sentence that names the variable.
    pub fn read(source: &Source) -> Result<Self, Error> {
        let raw: RawSettings = source.extract()?;
        let public_origin = raw
            .public_origin
            .map(|origin| {
                Origin::parse(&origin).ok_or_else(|| {
                    Error(format!("PORTIA_PUBLIC_ORIGIN: {origin} is no origin; it looks like https://portia.example."))
                })
            })
            .transpose()?;
        if let Some(origin) = public_origin.as_ref().filter(|origin| !origin.is_https() && !origin.is_loopback()) {
            return Err(Error(format!(
                "PORTIA_PUBLIC_ORIGIN: {} is not https. Without https, passwords and sessions are readable on the way.",
                origin.as_str()
            )));
        }
        let trusted_hops = hops(raw.trusted_hops.as_deref().unwrap_or_default())?;
        if raw.rate_limit_scale >= NO_LIMITS && (public_origin.is_some() || !trusted_hops.is_empty()) {
            return Err(Error(format!(
                "PORTIA_RATE_LIMIT_SCALE: {} switches rate limits off, which a Portia with a public origin or a \
                 trusted hop must not do.",
                raw.rate_limit_scale
            )));
        }
        let is_contact = |raw: &str| {
            (raw.starts_with("mailto:") || raw.starts_with("https://")) && !raw.contains(char::is_whitespace)
        };
        let security_contact = raw.security_contact.filter(|contact| !contact.is_empty());
        if security_contact.as_deref().is_some_and(|contact| !is_contact(contact)) {
            return Err(Error(
                "PORTIA_SECURITY_CONTACT: write mailto: and an address, or an https address.".to_owned(),
            ));
        }
        Ok(Self {
            public_origin,
            trusted_hops,
            security_contact,
            rate_limit_scale: raw.rate_limit_scale,
            web_dir: raw.web_dir,
            picture_keys: files(&raw.picture_keys),
            in_flight: raw.in_flight,
            connections_per_client: raw.connections_per_client,
        })
    }

    /// Whether the public origin is https.
    pub fn is_https(&self) -> bool {
        self.public_origin.as_ref().is_some_and(Origin::is_https)
    }
}

fn files(raw: &str) -> Vec<PathBuf> {
    raw.split(',').map(str::trim).filter(|file| !file.is_empty()).map(PathBuf::from).collect()
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
    use chassis::config::variables::default_of;

    use super::*;

    #[test]
    fn an_origin_is_a_scheme_and_a_host_only() {
        for good in ["https://portia.example", "http://127.0.0.1:8080/", "https://PORTIA.example"] {
            assert!(Origin::parse(good).is_some(), "{good}");
        }
        for bad in ["portia.example", "https://", "ftp://x", "https://x/path", "https://u@x", "javascript:x"] {
            assert_eq!(Origin::parse(bad), None, "{bad}");
        }
        assert_eq!(Origin::parse("https://PORTIA.example").unwrap().as_str(), "https://portia.example");
    }

    #[test]
    fn a_security_contact_is_an_address() {
        let read = |contact: &str| Settings::read(&Source::default().with("security_contact", contact));
        assert!(read("mailto:security@portia.example").is_ok() && read("https://portia.example/security").is_ok());
        for bad in
            ["security@portia.example", "http://portia.example", "mailto:a@b.example\nContact: mailto:c@d.example"]
        {
            assert!(read(bad).unwrap_err().0.starts_with("PORTIA_SECURITY_CONTACT"), "{bad}");
        }
    }

    #[test]
    fn a_public_origin_is_https_or_a_loopback() {
        let read = |origin: &str| Settings::read(&Source::default().with("public_origin", origin));
        for good in [
            "https://portia.example",
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://127.9.9.9:80",
            "http://[::1]:8080",
        ] {
            assert!(read(good).is_ok(), "{good}");
        }
        for bad in [
            "http://portia.example",
            "http://10.0.0.1:8080",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://[::2]",
        ] {
            assert!(read(bad).unwrap_err().0.contains("PORTIA_PUBLIC_ORIGIN"), "{bad}");
        }
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
    fn the_defaults_are_those_of_the_manual() {
        let settings = Settings::read(&Source::default()).unwrap();
        for (name, value) in [
            ("PORTIA_IN_FLIGHT", settings.in_flight.to_string()),
            ("PORTIA_CONNECTIONS_PER_CLIENT", settings.connections_per_client.to_string()),
            ("PORTIA_RATE_LIMIT_SCALE", settings.rate_limit_scale.to_string()),
        ] {
            assert_eq!(default_of(name), Some(value), "{name}");
        }
    }

    #[test]
    fn a_client_has_256_connections_unless_an_operator_decides() {
        assert_eq!(Settings::read(&Source::default()).unwrap().connections_per_client, 256);
        let raised = Source::default().with("connections_per_client", 2_000);
        assert_eq!(Settings::read(&raised).unwrap().connections_per_client, 2_000);
    }

    #[test]
    fn picture_keys_are_a_list_of_files() {
        let keys = Source::default().with("picture_keys", "/keys/new.key, /keys/old.key,");
        let expected = ["/keys/new.key", "/keys/old.key"].map(PathBuf::from);
        assert_eq!(Settings::read(&keys).unwrap().picture_keys, expected);
    }

    #[test]
    fn hops_are_addresses_or_networks() {
        assert_eq!(hops("10.0.0.0/8, 127.0.0.1,::1").unwrap().len(), 3);
        assert!(hops("proxy.example").is_err());
    }
}
