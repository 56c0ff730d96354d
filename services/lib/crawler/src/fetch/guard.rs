//! The addresses that may be requested, checked before and after the name is resolved.

use std::{collections::BTreeSet, net::IpAddr};

use url::{Host, Url};

use super::{AdmittedHosts, Failure};
use crate::address;

/// The configured and the admitted hosts.
#[derive(Debug)]
pub(super) struct Guard {
    admitted: AdmittedHosts,
    /// Without `www.`; `None` for any host.
    hosts: Option<BTreeSet<String>>,
}

impl Guard {
    pub(super) fn new(admitted: AdmittedHosts, hosts: &BTreeSet<String>) -> Self {
        let hosts =
            hosts.iter().filter_map(|host| Host::parse(host).ok()).map(|host| strip_www(&host.to_string()).to_owned());
        Self { admitted, hosts: Some(hosts.collect()) }
    }

    /// Permits every host with a public address.
    pub(super) fn any_host(admitted: AdmittedHosts) -> Self {
        Self { admitted, hosts: None }
    }

    /// Whether an address may be requested because of a redirect. Only the configuration and other admitted hosts lead
    /// to admitted hosts: a host outside cannot choose a path on them.
    pub(super) fn check_redirect(&self, from: &Url, to: &Url) -> Result<(), Failure> {
        self.check(to)?;
        if self.admitted.admits(to) && !self.admitted.admits(from) { Err(Failure::Private) } else { Ok(()) }
    }

    /// Whether an address may be requested.
    pub(super) fn check(&self, url: &Url) -> Result<(), Failure> {
        let Some(host) = url.host() else {
            return Err(Failure::NotHttps);
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Failure::NotHttps);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Failure::UserInformation);
        }
        if self.admitted.admits(url) {
            return Ok(());
        }
        // A literal address is not resolved, so it is checked here.
        let address = match host {
            Host::Ipv4(address) => Some(IpAddr::from(address)),
            Host::Ipv6(address) => Some(IpAddr::from(address)),
            Host::Domain(_) => None,
        };
        if address.is_some_and(|address| !address::is_public(address)) {
            return Err(Failure::Private);
        }
        // Names are resolved without their port, so an admitted host is refused at any other port.
        if url.port().is_some() || self.admitted.knows(url) {
            return Err(Failure::Port);
        }
        if url.scheme() != "https" {
            return Err(Failure::NotHttps);
        }
        if !self.is_configured(strip_www(&host.to_string())) {
            return Err(Failure::HostNotConfigured);
        }
        Ok(())
    }

    /// Whether a host is configured by its name, or as a subdomain: `*.example.org`.
    fn is_configured(&self, host: &str) -> bool {
        let parents = host.match_indices('.').map(|(dot, _)| host.get(dot..).unwrap_or_default());
        let Some(hosts) = &self.hosts else { return true };
        hosts.contains(host) || parents.into_iter().any(|parent| hosts.contains(&format!("*{parent}")))
    }

    /// Whether a name may resolve to an address.
    pub(super) fn allows(&self, host: &str, address: IpAddr) -> bool {
        // As in a URL.
        let literal = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        address::is_public(address) || self.admitted.may_be_private(host) || self.admitted.may_be_private(&literal)
    }
}

/// A host with and without `www.` is the same.
fn strip_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_covers_subdomains_only() {
        let hosts = ["*.push.example".to_owned(), "feeds.example".to_owned()].into();
        let guard = Guard::new(AdmittedHosts::default(), &hosts);
        for (url, expected) in [
            ("https://a.push.example/x", Ok(())),
            ("https://a.b.push.example/x", Ok(())),
            ("https://feeds.example/", Ok(())),
            ("https://push.example/x", Err(Failure::HostNotConfigured)),
            ("https://evilpush.example/x", Err(Failure::HostNotConfigured)),
            ("https://a.push.example.evil.example/x", Err(Failure::HostNotConfigured)),
            ("https://a.feeds.example/", Err(Failure::HostNotConfigured)),
            ("https://a.push.example:8443/x", Err(Failure::Port)),
            ("http://a.push.example/x", Err(Failure::NotHttps)),
            ("https://user@a.push.example/x", Err(Failure::UserInformation)),
        ] {
            assert_eq!(guard.check(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
