//! Links that members can follow: http or https, without hidden parts.

use std::fmt::Write as _;

use http::Uri;

use crate::error::Violation;

/// The maximum length of a link, in characters.
const MAX: usize = 2048;

/// An absolute http(s) URL without user information, in ASCII: the visible text is the URL that a browser opens. It
/// contains no bidirectional control and no character without width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(String);

impl Link {
    /// Parses a link.
    ///
    /// # Errors
    /// A violation of `field` for any other text.
    pub fn parse(field: &str, raw: &str) -> Result<Self, Violation> {
        let refused = || Violation::new(field, "This must be a link that starts with http:// or https://.");
        let raw = raw.trim();
        if raw.chars().count() > MAX || raw.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(refused());
        }
        let uri: Uri = raw.parse().map_err(|_| refused())?;
        let http = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or_else(refused)?;
        if !http || !authority.as_str().is_ascii() || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(refused());
        }
        let (scheme, rest) = raw.split_once(':').ok_or_else(refused)?;
        let link = format!("{}:{}", scheme.to_ascii_lowercase(), encoded(rest));
        if link.len() > MAX { Err(refused()) } else { Ok(Self(link)) }
    }

    /// Parses an optional link. A blank text is an absent one.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_optional(field: &str, raw: Option<&str>) -> Result<Option<Self>, Violation> {
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(raw) => Self::parse(field, raw).map(Some),
        }
    }

    /// The URL.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// Percent-encodes the UTF-8 bytes of every character that is not ASCII, like browsers do (RFC 3987, section 3.1).
fn encoded(part: &str) -> String {
    let mut encoded = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii() {
            encoded.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_urls_with_a_host_are_accepted() {
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
            "https://ex\u{430}mple.org",
            "https://example.org\u{202e}/moc",
        ] {
            assert!(Link::parse("website", bad).is_err(), "{bad}");
        }
        assert!(Link::parse("website", &format!("https://example.org/{}", "\u{e9}".repeat(400))).is_err(), "encoded");
    }

    #[test]
    fn a_link_is_stored_as_browsers_send_it() {
        for (typed, kept) in [
            ("HTTPS://Example.org/A", "https://Example.org/A"),
            ("https://example.org/\u{e9}t\u{e9}?q=\u{f1}", "https://example.org/%C3%A9t%C3%A9?q=%C3%B1"),
            ("https://example.org/\u{202e}gpj.exe", "https://example.org/%E2%80%AEgpj.exe"),
        ] {
            assert_eq!(Link::parse("website", typed).unwrap().into_string(), kept);
        }
    }
}
