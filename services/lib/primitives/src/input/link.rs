//! Links that members can follow: http or https, without hidden parts.

use std::{borrow::Cow, fmt::Write as _};

use http::Uri;
use url::Url;

use crate::error::Violation;

/// The maximum length of a link, in characters.
const MAX: usize = 2048;

/// An absolute http(s) URL without user information, in ASCII: the visible text is the URL that a browser opens. It
/// contains no bidirectional control and no character without width. The labels of an international host are in Punycode: a host
/// that looks like another one begins with `xn--`.
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
        let (scheme, rest) = raw.split_once("://").ok_or_else(refused)?;
        let scheme = scheme.to_ascii_lowercase();
        let rest = with_ascii_host(&scheme, rest).ok_or_else(refused)?;
        let link = format!("{scheme}://{}", encoded(&rest));
        let uri: Uri = link.parse().map_err(|_| refused())?;
        let authority = uri.authority().ok_or_else(refused)?;
        let http = matches!(scheme.as_str(), "http" | "https");
        if !http || authority.as_str().contains('@') || authority.host().is_empty() {
            return Err(refused());
        }
        // A browser refuses it as well, for example a label `xn--` that stands for nothing.
        if link.len() > MAX || Url::parse(&link).is_err() {
            return Err(refused());
        }
        Ok(Self(link))
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

/// Returns the part after `://` with its host in ASCII (UTS 46), as browsers resolve it. `None` for an invalid host.
fn with_ascii_host<'a>(scheme: &str, rest: &'a str) -> Option<Cow<'a, str>> {
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    // Most hosts stay as they were typed.
    if authority.is_ascii() && !authority.contains('%') {
        return Some(Cow::Borrowed(rest));
    }
    if authority.contains(['@', '\\']) {
        return None;
    }
    let url = Url::parse(&format!("{scheme}://{authority}/")).ok()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(Cow::Owned(format!("{}{port}{path}", url.host_str()?)))
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
            "https://ex\u{430}mple.org@example.org",
            "https://b\u{fc}cher\\example.org",
            "https://b\u{fc}cher.example:99999/",
            "https://b\u{fc}cher.example:port/",
            "https://\u{ff20}b\u{fc}cher.example",
            "https://example.org\u{ff0f}b\u{fc}cher",
            "https://\u{fc} .example",
            "https://\u{200b}",
            "https://\u{ad}",
            "https://b\u{202e}cher.example",
            "https://\u{301}b.example",
            "https://a\u{2028}b.example",
            "https://xn--\u{fc}.example",
            "https://xn--a.example",
            "https://b%FCcher.example",
            "https://exa%00mple.org",
            "https://example.org%2f.evil.example",
            "https:b\u{fc}cher.example",
            "https:///b\u{fc}cher.example",
            "ftp://b\u{fc}cher.example",
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
            ("https://Example.org:443", "https://Example.org:443"),
        ] {
            assert_eq!(Link::parse("website", typed).unwrap().into_string(), kept);
        }
    }

    #[test]
    fn an_international_host_is_stored_in_punycode() {
        for (typed, kept) in [
            ("https://b\u{fc}cher.example/", "https://xn--bcher-kva.example/"),
            ("https://B\u{dc}CHER.example", "https://xn--bcher-kva.example"),
            ("https://bu\u{308}cher.example/", "https://xn--bcher-kva.example/"),
            (
                "HTTP://b\u{fc}cher.example:8080/\u{e9}?q=\u{f1}#\u{fc}",
                "http://xn--bcher-kva.example:8080/%C3%A9?q=%C3%B1#%C3%BC",
            ),
            ("https://b\u{fc}cher.example:443/x", "https://xn--bcher-kva.example/x"),
            ("https://b\u{fc}cher.example?q=1", "https://xn--bcher-kva.example?q=1"),
            ("https://\u{4f8b}\u{3048}.jp", "https://xn--r8jz45g.jp"),
            ("https://\u{4f8b}\u{3048}\u{3002}jp/", "https://xn--r8jz45g.jp/"),
            ("https://\u{43f}\u{440}\u{438}\u{43c}\u{435}\u{440}.\u{440}\u{444}", "https://xn--e1afmkfd.xn--p1ai"),
            (
                "https://\u{645}\u{62b}\u{627}\u{644}.\u{625}\u{62e}\u{62a}\u{628}\u{627}\u{631}/",
                "https://xn--mgbh0fb.xn--kgbechtv/",
            ),
            ("https://stra\u{df}e.example", "https://xn--strae-oqa.example"),
            ("https://\u{ff45}xample.org/", "https://example.org/"),
            ("https://exam\u{ad}ple.org", "https://example.org"),
            ("https://b%C3%BCcher.example/", "https://xn--bcher-kva.example/"),
            ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
            // A look-alike shows.
            ("https://ex\u{430}mple.org", "https://xn--exmple-4nf.org"),
            ("https://\u{1f4da}.example", "https://xn--zt8h.example"),
        ] {
            let link = Link::parse("website", typed).unwrap_or_else(|refused| panic!("{typed}: {refused:?}"));
            assert_eq!(link.into_string(), kept, "{typed}");
        }
    }
}
