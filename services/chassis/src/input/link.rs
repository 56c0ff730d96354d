//! Links people may click: http or https, nothing hidden in them.

use http::Uri;

use crate::error::Violation;

/// The longest link taken, in characters.
const MAX: usize = 2048;

/// An absolute http(s) address without user information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    /// Reads a link.
    ///
    /// # Errors
    /// A violation of `field` for anything that is not an http(s) address with a host and without user information.
    pub fn parse(field: &str, raw: &str) -> Result<Self, Violation> {
        let refused = || Violation::new(field, "This must be a link that starts with http:// or https://.");
        let raw = raw.trim();
        if raw.len() > MAX || raw.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(refused());
        }
        let uri: Uri = raw.parse().map_err(|_| refused())?;
        let http = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or_else(refused)?;
        if !http || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(refused());
        }
        Ok(Self(raw.to_owned()))
    }

    /// Reads a link that may be left out: absent and blank are the same.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_optional(field: &str, raw: Option<&str>) -> Result<Option<Self>, Violation> {
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(raw) => Self::parse(field, raw).map(Some),
        }
    }

    /// The address.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_pass() {
        for good in ["https://example.org", "http://example.org/a?b=c", "https://[2001:db8::1]:8443/x"] {
            assert!(Link::parse("website", good).is_ok(), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "//example.org",
            "example.org",
            "https://user:pw@example.org",
            "https://",
            "https:///x",
            "ftp://example.org",
            "https://exa mple.org",
        ] {
            assert!(Link::parse("website", bad).is_err(), "{bad}");
        }
    }
}
