//! Recognition of known items: the canonical form of an address, the fingerprint of texts, the similarity of two titles.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
use url::{Host, Url, form_urlencoded};

/// Parameters that identify the referrer, not the page.
const TRACKING: [&str; 20] = [
    "_hsenc",
    "_hsmi",
    "dclid",
    "fbclid",
    "gbraid",
    "gclid",
    "gclsrc",
    "gh_src",
    "igshid",
    "lever-origin",
    "lever-source",
    "lever-source[]",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "twclid",
    "wbraid",
    "yclid",
    "ysclid",
];

/// Parameters that identify the referrer on most sites and the page on others: `?ref=2026-102` of a court, `?ref=REQ-2` of an
/// employer.
const AMBIGUOUS: [&str; 6] = ["cmp", "cmpid", "ref", "ref_src", "referer", "referrer"];

/// Words that are too common to distinguish titles.
const COMMON: [&str; 44] = [
    "a", "about", "after", "against", "all", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "has",
    "have", "he", "her", "his", "how", "in", "into", "is", "it", "its", "new", "not", "of", "on", "or", "over", "say",
    "says", "she", "than", "that", "the", "their", "this", "to", "was", "will", "with",
];

/// The most words of a title that are compared.
const MAX_WORDS: usize = 64;

/// The longest canonical address in bytes: it is stored in indexes, whose entries are limited.
const MAX_LENGTH: usize = 2_048;

/// The canonical form of an address, for comparisons only; links use the original.
///
/// https instead of http, the host in lower case without `www.`, no user information, no default port, no fragment, no
/// trailing slash, no parameter of [`TRACKING`] or [`AMBIGUOUS`], and the other parameters sorted. Other schemes are unchanged.
/// An address of more than 2,048 bytes is replaced by its hash.
///
/// Different pages may have one canonical form: sites name pages in a fragment or in an ambiguous parameter, too. It finds the
/// items that may be the same; [`exact`] or their titles decide.
#[must_use]
pub fn canonical(url: &Url) -> String {
    bounded(normalize(url, |pairs| {
        pairs.retain(|(name, _)| !is_ambiguous(name));
        pairs.sort();
    }))
}

/// Like [`canonical`], with every part that may distinguish two pages: the fragment, the parameters of [`AMBIGUOUS`],
/// and the order of parameters with one name. Addresses with one exact form have one canonical form.
#[must_use]
pub fn exact(url: &Url) -> String {
    let mut whole = normalize(url, |pairs| pairs.sort_by(|(one, _), (other, _)| one.cmp(other)));
    let is_web = matches!(url.scheme(), "http" | "https");
    if let Some(fragment) = url.fragment().filter(|fragment| is_web && !fragment.is_empty() && !tracks(fragment)) {
        whole.push('#');
        whole.push_str(fragment);
    }
    bounded(whole)
}

/// Whether a fragment has tracking parameters only: `#utm_source=rss`.
fn tracks(fragment: &str) -> bool {
    form_urlencoded::parse(fragment.as_bytes()).all(|(name, _)| is_tracking(&name))
}

fn bounded(whole: String) -> String {
    if whole.len() <= MAX_LENGTH {
        return whole;
    }
    // Not the fingerprint: addresses that differ in case or punctuation are different.
    let hash: String = Sha256::digest(whole).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("urn:sha256:{hash}")
}

/// The common part of both forms; `arrange` orders the parameters, and may remove some.
fn normalize(url: &Url, arrange: impl FnOnce(&mut Vec<(String, String)>)) -> String {
    let Some(host) = url.host().filter(|_| matches!(url.scheme(), "http" | "https")) else {
        return url.as_str().to_owned();
    };
    let mut whole = format!("https://{}", strip_www(&host));
    // Port 443 of an http address is the default port of the canonical form.
    if let Some(port) = url.port().filter(|port| *port != 443) {
        whole.push_str(&format!(":{port}"));
    }
    whole.push_str(url.path().trim_end_matches('/'));
    let mut pairs: Vec<(String, String)> =
        url.query_pairs().into_owned().filter(|(name, _)| !is_tracking(name)).collect();
    arrange(&mut pairs);
    if !pairs.is_empty() {
        whole.push('?');
        whole.push_str(&form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish());
    }
    whole
}

/// An address without its fragment and without the parameters of [`TRACKING`]. Unlike [`canonical`], it can be requested.
#[must_use]
pub fn without_tracking(mut url: Url) -> Url {
    url.set_fragment(None);
    let tracks = url.query_pairs().any(|(name, _)| is_tracking(&name));
    if tracks {
        let pairs: Vec<(String, String)> =
            url.query_pairs().into_owned().filter(|(name, _)| !is_tracking(name)).collect();
        if pairs.is_empty() {
            url.set_query(None);
        } else {
            url.query_pairs_mut().clear().extend_pairs(pairs);
        }
    }
    url
}

/// The host without any leading `www.` and without the dot of the root.
fn strip_www(host: &Host<&str>) -> String {
    let Host::Domain(name) = host else {
        return host.to_string();
    };
    let mut name = name.trim_end_matches('.');
    while let Some(rest) = name.strip_prefix("www.").filter(|rest| rest.contains('.') && !rest.starts_with('.')) {
        name = rest;
    }
    name.to_owned()
}

fn is_tracking(parameter: &str) -> bool {
    let name = parameter.to_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

fn is_ambiguous(parameter: &str) -> bool {
    AMBIGUOUS.contains(&parameter.to_lowercase().as_str())
}

/// A hash of texts, which recognises an item at another address. It depends on the words and their order, not on case,
/// accents, punctuation or spacing.
#[must_use]
pub fn fingerprint(parts: &[&str]) -> [u8; 16] {
    let mut hash = Sha256::new();
    for part in parts {
        for word in words(part) {
            hash.update(word.as_bytes());
            hash.update(b" ");
        }
        // No word contains it, so it separates the parts.
        hash.update(b"\n");
    }
    let mut fingerprint = [0; 16];
    for (to, from) in fingerprint.iter_mut().zip(hash.finalize()) {
        *to = from;
    }
    fingerprint
}

/// The similarity of two titles from 0 to 1, independent of the word order: the Dice coefficient of their significant words.
#[must_use]
pub fn similarity(a: &str, b: &str) -> f32 {
    let (a, b) = (significant(a), significant(b));
    let all = a.len() + b.len();
    if all == 0 {
        return 0.0;
    }
    let shared = a.intersection(&b).count();
    #[expect(clippy::cast_precision_loss, reason = "at most 128 words")]
    let ratio = (2 * shared) as f32 / all as f32;
    ratio
}

fn significant(title: &str) -> BTreeSet<String> {
    let all: BTreeSet<String> = words(title).take(MAX_WORDS).collect();
    let some: BTreeSet<String> = all.iter().filter(|word| !COMMON.contains(&word.as_str())).cloned().collect();
    // A title of common words only is compared by its common words.
    if some.is_empty() { all } else { some }
}

/// The words of a text in lower case and compatibility form, without accents, possessive endings and punctuation within words.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| {
        c.is_whitespace() || matches!(c, '-' | '/' | '\u{2010}'..='\u{2015}' | '_' | '|' | ':' | ',' | ';')
    })
    .map(|word| {
        let word: String = word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word);
        word.chars().filter(|c| c.is_alphanumeric()).collect::<String>()
    })
    .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(url: &str) -> String {
        canonical(&url.parse().unwrap())
    }

    #[test]
    fn equivalent_addresses_have_one_canonical_form() {
        for (given, expected) in [
            ("http://www.Example.org/", "https://example.org"),
            ("https://example.org:443/a/b/", "https://example.org/a/b"),
            ("http://example.org:80/a", "https://example.org/a"),
            ("http://example.org:443/a", "https://example.org/a"),
            ("https://example.org:8443/a", "https://example.org:8443/a"),
            ("https://example.org./a#top", "https://example.org/a"),
            ("https://example.org/A?utm_source=rss&utm_Medium=feed", "https://example.org/A"),
            ("https://example.org/a?b=2&a=1&fbclid=x&REF=y", "https://example.org/a?a=1&b=2"),
            ("https://boards.example.org/job?gh_jid=42&gh_src=abc", "https://boards.example.org/job?gh_jid=42"),
            ("https://user:pw@example.org/a", "https://example.org/a"),
            ("https://www.www.example.org/a", "https://example.org/a"),
            ("https://www.org/a", "https://www.org/a"),
            ("https://[2606:4700::1]/a/", "https://[2606:4700::1]/a"),
            ("https://b\u{fc}cher.example/\u{e9}", "https://xn--bcher-kva.example/%C3%A9"),
            ("mailto:a@example.org", "mailto:a@example.org"),
        ] {
            assert_eq!(of(given), expected, "{given}");
        }
    }

    #[test]
    fn an_exact_form_keeps_all_that_may_distinguish_two_pages() {
        let exact = |url: &str| exact(&url.parse().unwrap());
        for (one, other) in [
            ("https://digest.example/week#case-2", "https://digest.example/week#case-3"),
            ("https://spa.example/#!/o/2", "https://spa.example/#/o/2"),
            ("https://spa.example/#/job/12", "https://spa.example/"),
            ("https://court.example/view?ref=2026-102", "https://court.example/view?REF=2026-103"),
            ("https://court.example/view?ref=2026-102", "https://court.example/view"),
            ("https://paper.example/show?cmp=901", "https://paper.example/show?cmp=902"),
            ("https://paper.example/show?cmpid=901", "https://paper.example/show?cmpid=902"),
            ("https://paper.example/p?referrer=a1", "https://paper.example/p?referrer=a2"),
            ("https://paper.example/p?referer=a1", "https://paper.example/p?referer=a2"),
            ("https://paper.example/p?ref_src=a1", "https://paper.example/p?ref_src=a2"),
            ("https://paper.example/q?a=1&a=2", "https://paper.example/q?a=2&a=1"),
            ("https://paper.example/q?a[]=1&a[]=2&b=3", "https://paper.example/q?b=3&a[]=2&a[]=1"),
        ] {
            assert_ne!(exact(one), exact(other));
            assert_eq!(of(one), of(other), "found by its canonical form");
        }
        for (one, other) in [
            ("https://paper.example/A", "https://paper.example/a"),
            ("https://paper.example/x//y", "https://paper.example/x/y"),
        ] {
            assert_ne!(of(one), of(other));
        }
        for (one, other) in [
            ("http://www.Paper.example/a/?utm_source=rss&b=2&a=1", "https://paper.example/a?a=1&b=2"),
            ("https://paper.example/a?gclid=1&ref=x", "https://paper.example/a?ref=x&fbclid=2&mc_cid=3"),
            ("https://paper.example/a#utm_source=rss&utm_medium=feed", "https://paper.example/a#"),
            ("https://paper.example/a?gh_src=1#b", "https://paper.example/a#b"),
            ("mailto:a@example.org#b", "mailto:a@example.org#b"),
        ] {
            assert_eq!(exact(one), exact(other));
        }
    }

    #[test]
    fn a_long_address_is_replaced_by_its_hash() {
        // Escaping makes three bytes of each of these characters.
        let grown = format!("https://example.org/?a={}", "(!".repeat(1_000));
        assert!(grown.len() <= MAX_LENGTH);
        let long = |path: &str| of(&format!("https://www.example.org/{}{path}", "a".repeat(MAX_LENGTH)));
        for known in [of(&grown), long("b")] {
            assert!(known.starts_with("urn:sha256:") && known.len() < 100, "{known}");
            assert_eq!(of(&known), known);
        }
        assert_ne!(long("b"), long("c"));
        assert_ne!(long("b"), long("B"));
        assert_eq!(long("b"), long("b/#top"));
    }

    #[test]
    fn case_accents_and_punctuation_make_no_difference_to_a_fingerprint() {
        let one = fingerprint(&["Caf\u{e9} owner\u{2019}s appeal: denied!", "Law.com"]);
        assert_eq!(one, fingerprint(&["  CAFE OWNER'S  appeal - denied", "LAW.COM."]));
        assert_ne!(one, fingerprint(&["Appeal denied: caf\u{e9} owner's", "Law.com"]), "another order");
        assert_ne!(fingerprint(&["a b", "c"]), fingerprint(&["a", "b c"]), "another place");
        assert_ne!(fingerprint(&["a"]), fingerprint(&["a", ""]), "another number of parts");
    }

    #[test]
    fn titles_of_one_story_are_similar_and_others_are_not() {
        let story = "Supreme Court Strikes Down State's Ban on Interstate Wine Sales";
        for same in [
            "US Supreme Court strikes down the state ban on interstate wine sales",
            "Ban on Interstate Wine Sales Struck Down by Supreme Court",
        ] {
            assert!(similarity(story, same) > 0.7, "{same}: {}", similarity(story, same));
        }
        for other in ["Supreme Court declines to hear trademark case", "Ten summer associate tips", ""] {
            assert!(similarity(story, other) < 0.4, "{other}: {}", similarity(story, other));
        }
        assert!(similarity(story, story) > 0.999);
        assert!(similarity("The U.S. and the EU", "US, EU") > 0.999);
    }

    #[test]
    fn titles_without_words_are_not_similar() {
        assert!(similarity("", "") < 0.001);
        assert!(similarity("!!!", "???") < 0.001);
        assert!(similarity("How to be", "How to be") > 0.999, "common words alone still count");
    }

    #[test]
    fn a_title_of_a_million_characters_is_compared_by_its_beginning() {
        assert!(similarity(&"word ".repeat(200_000), "word") > 0.999);
    }

    #[test]
    fn an_address_without_tracking_keeps_everything_else() {
        for (raw, expected) in [
            ("http://www.Example.org/a/?b=1&a=%20#part", "http://www.example.org/a/?b=1&a=%20"),
            ("https://example.org/?utm_source=x&fbclid=y", "https://example.org/"),
            ("https://example.org/?utm_source=x&q=moot+court&gclid=z", "https://example.org/?q=moot+court"),
            ("https://court.example/view?ref=2026-102&gclid=z", "https://court.example/view?ref=2026-102"),
        ] {
            assert_eq!(without_tracking(Url::parse(raw).unwrap()).as_str(), expected, "{raw}");
        }
    }

    proptest! {
        #[test]
        fn a_canonical_form_is_its_own_canonical_form(
            scheme in "https?",
            www in "(www\\.){0,3}",
            host in "[a-z0-9-]{1,8}(\\.[a-z0-9]{1,5}){0,3}\\.?",
            port in prop::option::of(any::<u16>()),
            path in "(/[a-zA-Z0-9%._~ \u{e9}-]{0,6}){0,4}",
            query in "(\\?(([a-z_+%0-9A-F]{0,6}|ref|utm_a)=?[a-z0-9%+&\u{e9}]{0,5}&){0,4})?",
            fragment in "(#([a-z/!]{0,3}|utm_a=1))?",
        ) {
            let port = port.map(|port| format!(":{port}")).unwrap_or_default();
            if let Ok(url) = Url::parse(&format!("{scheme}://{www}{host}{port}{path}{query}{fragment}")) {
                let once = canonical(&url);
                let again = Url::parse(&once);
                prop_assert!(again.is_ok(), "{} of {}", once, url);
                prop_assert_eq!(canonical(&again.unwrap()), once.as_str());
                let exactly = exact(&url);
                let again = Url::parse(&exactly).unwrap();
                prop_assert_eq!(exact(&again), exactly.as_str());
                prop_assert_eq!(canonical(&again), once, "one exact form has one canonical form");
            }
        }

        #[test]
        fn similarity_is_symmetric_and_between_0_and_1(a in "(\\PC{0,6} ?){0,9}", b in "(\\PC{0,6} ?){0,9}") {
            let forward = similarity(&a, &b);
            prop_assert!((0.0..=1.0).contains(&forward), "{}", forward);
            prop_assert_eq!(forward.to_bits(), similarity(&b, &a).to_bits());
        }

        #[test]
        fn spacing_and_case_never_change_a_fingerprint(words in prop::collection::vec("[a-z]{1,8}", 0..9)) {
            let plain = words.join(" ");
            let upper_case = words.join("  \t").to_uppercase();
            prop_assert_eq!(fingerprint(&[&plain]), fingerprint(&[&upper_case]));
        }
    }
}
