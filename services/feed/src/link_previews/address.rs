//! The first link of a text, as the web client finds links (`web/src/features/posts/text/web-links.ts`), and its normal form.

use crawler::canonical::without_tracking;
use url::{Host, Url};

/// The longest address, in characters.
const MAX_LENGTH: usize = 2_048;

/// Returns the first web address of a text: with http(s), or beginning with `www.`. A bare domain stays text.
pub fn first_link(text: &str) -> Option<String> {
    let mut from = 0;
    while let Some((start, scheme)) = candidate(text, from) {
        let rest = text.get(start..)?;
        let raw = rest.find(ends_address).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
        from = start + raw.len();
        let before = text.get(..start)?.chars().next_back();
        let inside = before
            .is_some_and(|c| c.is_alphanumeric() || c == '_' || (!scheme && matches!(c, '@' | '.' | '/' | ':' | '-')));
        if inside {
            continue;
        }
        let address = without_tail(raw);
        let address = if scheme { address.to_owned() } else { format!("https://{address}") };
        if parse(&address).is_some_and(|url| scheme || is_domain(&url)) {
            return Some(address);
        }
    }
    None
}

/// Normalizes a link for comparison and fetching: https unless a port is given, without fragment and tracking
/// parameters. `None` for a link to this site, with user information, or too long.
pub fn normalize(raw: &str, own_host: Option<&str>) -> Option<String> {
    let mut url = without_tracking(parse(raw.trim())?);
    if url.host_str() == own_host || url.host_str()?.is_empty() {
        return None;
    }
    if url.port().is_none() {
        url.set_scheme("https").ok()?;
    }
    let url = url.to_string();
    (url.chars().count() <= MAX_LENGTH).then_some(url)
}

fn parse(address: &str) -> Option<Url> {
    if address.chars().count() > MAX_LENGTH {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let host = url.host()?;
    let named = !matches!(host, Host::Domain(name) if name.split('.').all(str::is_empty));
    let plain = url.username().is_empty() && url.password().is_none() && !address.contains('\\');
    let authority = address.split_once("://")?.1.split(['/', '?', '#']).next()?;
    (matches!(url.scheme(), "http" | "https") && named && plain && !authority.contains('@')).then_some(url)
}

/// Finds the next `https://`, `http://` or `www.` at or after a byte, and returns whether it has a scheme.
fn candidate(text: &str, from: usize) -> Option<(usize, bool)> {
    text.get(from..)?.char_indices().find_map(|(at, c)| {
        if !matches!(c, 'h' | 'H' | 'w' | 'W') {
            return None;
        }
        let rest = text.get(from + at..)?;
        let begins = |with: &str| rest.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
        let after = |with: &str| rest.get(with.len()..).and_then(|rest| rest.chars().next());
        let found = |with: &str| begins(with) && after(with).is_some_and(|c| !ends_address(c));
        if found("https://") || found("http://") {
            Some((from + at, true))
        } else {
            found("www.").then_some((from + at, false))
        }
    })
}

/// Returns whether a character ends an address: white space, quotes, angle brackets, dashes of a sentence, invisible
/// characters.
fn ends_address(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '<' | '>'
                | '"'
                | '\u{201c}'
                | '\u{201d}'
                | '\u{ab}'
                | '\u{bb}'
                | '\u{2014}'
                | '\u{2013}'
                | '\u{2026}'
                | '\\'
        )
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Strips the punctuation after an address, and a closing bracket that was opened before it.
fn without_tail(raw: &str) -> &str {
    let count = |character| raw.matches(character).count();
    let mut surplus =
        [(')', '('), (']', '['), ('}', '{')].map(|(close, open)| (close, count(close).saturating_sub(count(open))));
    let mut address = raw;
    while let Some(last) = address.chars().next_back() {
        let unopened = surplus.iter_mut().find(|(close, left)| *close == last && *left > 0);
        match unopened {
            Some((_, left)) => *left -= 1,
            None if matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '\u{2019}' | '*' | '_' | '~') => {}
            None => break,
        }
        address = address.strip_suffix(last).unwrap_or_default();
    }
    address
}

/// Returns whether the host has a name and a top-level domain below `www.`.
fn is_domain(url: &Url) -> bool {
    let labels =
        url.host_str().and_then(|host| host.strip_prefix("www.")).map(|host| host.split('.').collect::<Vec<_>>());
    labels.is_some_and(|labels| labels.len() >= 2 && labels.iter().all(|label| !label.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_address_of_a_text_is_found_as_by_the_web_client() {
        for (text, link) in [
            ("Read https://lawphil.net/judjuris.html today", "https://lawphil.net/judjuris.html"),
            ("HTTP://Example.com", "HTTP://Example.com"),
            ("at www.supremecourt.gov.ph.", "https://www.supremecourt.gov.ph"),
            ("https://a.example, https://b.example", "https://a.example"),
            ("Is it https://a.example/x?", "https://a.example/x"),
            ("https://en.wikipedia.org/wiki/Stare_(law)", "https://en.wikipedia.org/wiki/Stare_(law)"),
            ("(https://en.wikipedia.org/wiki/Stare_(law)).", "https://en.wikipedia.org/wiki/Stare_(law)"),
            ("\u{201c}https://a.example/x\u{201d}", "https://a.example/x"),
            ("<https://a.example/x>", "https://a.example/x"),
            ("https://a.example/x\u{2014}tingnan", "https://a.example/x"),
            ("*https://a.example/x*", "https://a.example/x"),
            ("sa https://pi\u{f1}as.gov.ph/batas", "https://pi\u{f1}as.gov.ph/batas"),
            ("two\nhttps://a.example\nlines", "https://a.example"),
            ("javascript:https://a.example", "https://a.example"),
            ("https://ana:secret@evil.example/ or https://a.example", "https://a.example"),
        ] {
            assert_eq!(first_link(text).as_deref(), Some(link), "{text}");
        }
        for text in [
            "javascript:alert(1)",
            "data:text/html,<script>",
            "ftp://a.example",
            "See G.R.No.123 and R.A.10173 of lawphil.net",
            "ana@www.example.com",
            "xhttps://a.example",
            "https://",
            "http://.",
            "www.example",
            "www..example.com",
            "https://ana:secret@evil.example/",
            "https://a.example@evil.example/",
            "",
        ] {
            assert_eq!(first_link(text), None, "{text}");
        }
        assert_eq!(first_link(&format!("https://a.example/{}", "x".repeat(2_048))), None);
    }

    #[test]
    fn a_normal_address_can_be_fetched() {
        let normal = |raw: &str| normalize(raw, Some("portia.example"));
        assert_eq!(normal("http://Example.com/a?utm_source=x#top").as_deref(), Some("https://example.com/a"));
        assert_eq!(normal("https://example.com").as_deref(), Some("https://example.com/"));
        assert_eq!(normal("http://127.0.0.1:8080/x").as_deref(), Some("http://127.0.0.1:8080/x"));
        for other in ["https://portia.example/jobs", "https://a@b.example/", "ftp://a.example/", "no address", ""] {
            assert_eq!(normal(other), None, "{other}");
        }
    }

    #[test]
    fn a_text_of_marks_takes_linear_time() {
        for mark in ["https://", "www.", ")", "https://a.example@/)))", "(https://a@.b "] {
            assert_eq!(first_link(&mark.repeat(5_000)), None, "{mark}");
        }
    }
}
