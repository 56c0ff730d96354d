//! Admitted hosts, which may be private and use plain http: mirrors in a closed network, and the servers of tests.

use std::{collections::BTreeMap, str::FromStr};

use url::{Host, Url};

/// Pairs of host and port, such as `mirror.internal:8080,10.1.2.3:80`. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdmittedHosts(BTreeMap<(String, u16), Grant>);

/// The permission of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    /// Plain http at this port, at public addresses.
    Plain,
    /// Plain http at this port, at any address.
    Private,
}

/// An entry of the list is not a pair of host and port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no host and port, as in mirror.internal:8080.")]
pub struct InvalidAdmittedHosts(String);

impl FromStr for AdmittedHosts {
    type Err = InvalidAdmittedHosts;

    fn from_str(list: &str) -> Result<Self, InvalidAdmittedHosts> {
        let pairs = list.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let wrong = || InvalidAdmittedHosts(pair.to_owned());
            let (host, port) = pair.rsplit_once(':').ok_or_else(wrong)?;
            let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?;
            let host = Host::parse(host).map_err(|_| wrong())?.to_string();
            Ok(((host, port), Grant::Private))
        });
        Ok(Self(pairs.collect::<Result<_, _>>()?))
    }
}

impl AdmittedHosts {
    /// Also admits plain http at another port, but only at a public or an admitted address: for tests of name resolution.
    #[must_use]
    pub fn and_plain(mut self, host: &str, port: u16) -> Self {
        self.0.insert((host.to_owned(), port), Grant::Plain);
        self
    }

    /// Whether an address has an admitted pair of host and port.
    pub(super) fn admits(&self, url: &Url) -> bool {
        self.grant(url).is_some()
    }

    /// Whether an address has an admitted host, at any port.
    pub(super) fn knows(&self, url: &Url) -> bool {
        url.host_str().is_some_and(|host| self.grants(host).next().is_some())
    }

    /// Whether a name or a literal address may be private.
    pub(super) fn may_be_private(&self, host: &str) -> bool {
        self.grants(host).any(|grant| grant == Grant::Private)
    }

    fn grant(&self, url: &Url) -> Option<Grant> {
        self.0.get(&(url.host_str()?.to_owned(), url.port_or_known_default()?)).copied()
    }

    fn grants<'a>(&'a self, host: &'a str) -> impl Iterator<Item = Grant> + 'a {
        self.0.iter().filter(move |((known, _), _)| known == host).map(|(_, grant)| *grant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pairs_of_host_and_port_are_parsed() {
        assert_eq!("".parse(), Ok(AdmittedHosts::default()));
        assert_eq!(" , ".parse(), Ok(AdmittedHosts::default()));
        let list: AdmittedHosts = "Mirror.internal:8080, 127.1:81,[::1]:82".parse().unwrap();
        for (url, admitted) in [
            ("http://mirror.internal:8080/feed", true),
            ("https://mirror.internal:8080/feed", true),
            ("http://127.0.0.1:81/", true),
            ("http://[::1]:82/", true),
            ("http://mirror.internal/feed", false),
            ("http://sub.mirror.internal:8080/", false),
            ("http://127.0.0.1:82/", false),
        ] {
            assert_eq!(list.admits(&url.parse().unwrap()), admitted, "{url}");
        }
        for wrong in [
            "mirror.internal",
            "mirror.internal:",
            "mirror.internal:0",
            "mirror.internal:65536",
            "http://a:80",
            ":80",
            "a b:80",
        ] {
            assert_eq!(wrong.parse::<AdmittedHosts>(), Err(InvalidAdmittedHosts(wrong.to_owned())), "{wrong}");
        }
    }
}
