//! Who may be private and plain http: mirrors inside a closed network, and the servers of tests.

use std::{collections::BTreeMap, str::FromStr};

use url::{Host, Url};

/// Pairs of host and port, `mirror.internal:8080,10.1.2.3:80`. Empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admitted(BTreeMap<(String, u16), Grant>);

/// How much is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    /// Plain http at that port, at public addresses.
    Plain,
    /// At any address.
    Private,
}

/// Something of the list is no pair of host and port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no host and port, as in mirror.internal:8080.")]
pub struct NotAdmitted(String);

impl FromStr for Admitted {
    type Err = NotAdmitted;

    fn from_str(list: &str) -> Result<Self, NotAdmitted> {
        let pairs = list.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let wrong = || NotAdmitted(pair.to_owned());
            let (host, port) = pair.rsplit_once(':').ok_or_else(wrong)?;
            let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?;
            let host = Host::parse(host).map_err(|_| wrong())?.to_string();
            Ok(((host, port), Grant::Private))
        });
        Ok(Self(pairs.collect::<Result<_, _>>()?))
    }
}

impl Admitted {
    /// Admits plain http at another port too, but only at a public or an admitted address: so a test sees what becomes of
    /// a name that leads elsewhere.
    #[must_use]
    pub fn and_plain(mut self, host: &str, port: u16) -> Self {
        self.0.insert((host.to_owned(), port), Grant::Plain);
        self
    }

    /// Whether an address names an admitted pair.
    pub(super) fn admits(&self, url: &Url) -> bool {
        self.grant(url).is_some()
    }

    /// Whether an address names an admitted host, at whatever port.
    pub(super) fn knows(&self, url: &Url) -> bool {
        url.host_str().is_some_and(|host| self.grants(host).next().is_some())
    }

    /// Whether a name, or an address written out, may be private.
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
    fn pairs_are_read_and_nothing_else() {
        assert_eq!("".parse(), Ok(Admitted::default()));
        assert_eq!(" , ".parse(), Ok(Admitted::default()));
        let list: Admitted = "Mirror.internal:8080, 127.1:81,[::1]:82".parse().unwrap();
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
            assert_eq!(wrong.parse::<Admitted>(), Err(NotAdmitted(wrong.to_owned())), "{wrong}");
        }
    }
}
