//! What may be asked at all, before a name is looked up.

use std::{collections::BTreeSet, net::IpAddr};

use url::{Host, Url};

use super::{Admitted, Failure};
use crate::address;

/// The configured hosts, and who is admitted besides.
#[derive(Debug)]
pub(super) struct Guard {
    admitted: Admitted,
    /// Without `www.`.
    hosts: BTreeSet<String>,
}

impl Guard {
    pub(super) fn new(admitted: Admitted, hosts: &BTreeSet<String>) -> Self {
        let hosts =
            hosts.iter().filter_map(|host| Host::parse(host).ok()).map(|host| bare(&host.to_string()).to_owned());
        Self { admitted, hosts: hosts.collect() }
    }

    /// Whether an address may be requested because of a redirect. Admitted hosts are requested by configuration and by each
    /// other only: a host outside cannot choose a path on them.
    pub(super) fn check_redirect(&self, from: &Url, to: &Url) -> Result<(), Failure> {
        self.check(to)?;
        if self.admitted.admits(to) && !self.admitted.admits(from) { Err(Failure::Private) } else { Ok(()) }
    }

    /// Whether an address may be asked.
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
        // Names are looked up without their port: who is admitted at one is admitted at no other.
        if url.port().is_some() || self.admitted.knows(url) {
            return Err(Failure::Port);
        }
        if url.scheme() != "https" {
            return Err(Failure::NotHttps);
        }
        if !self.hosts.contains(bare(&host.to_string())) {
            return Err(Failure::Elsewhere);
        }
        Ok(())
    }

    /// Whether a name may lead to an address.
    pub(super) fn allows(&self, host: &str, address: IpAddr) -> bool {
        // As URLs write it.
        let written = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        address::is_public(address) || self.admitted.may_be_private(host) || self.admitted.may_be_private(&written)
    }
}

/// A host and its twin with `www.` are one.
fn bare(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}
