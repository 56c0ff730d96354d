//! Repairs frequent errors that feed readers accept: characters that XML does not allow, and an unescaped `&`.

use std::borrow::Cow;

/// Modules that are not used here. feed-rs parses them and panics at a duration of twenty digits.
const UNUSED_MODULES: [&str; 2] = ["http://search.yahoo.com/mrss/", "http://www.itunes.com/dtds/podcast-1.0.dtd"];

/// The longest name of an entity, in bytes.
const MAX_LENGTH: usize = 32;

/// Returns the document without invalid characters, with unused modules under an unknown namespace, and with every `&`
/// escaped that does not begin a reference.
pub(super) fn repair(document: &str) -> Cow<'_, str> {
    let document = if document.contains(is_invalid) {
        Cow::Owned(document.replace(is_invalid, ""))
    } else {
        Cow::Borrowed(document)
    };
    let document = UNUSED_MODULES.iter().fold(document, |document, module| {
        if document.contains(module) { Cow::Owned(document.replace(module, "urn:unread")) } else { document }
    });
    let mut out = String::new();
    let mut rest = document.as_ref();
    while let Some((before, from)) = rest.find(['&', '<']).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let (kept, behind) = if from.starts_with('&') {
            out.push_str(if is_reference(from) { "&" } else { "&amp;" });
            (0, 1)
        } else {
            // Within these an `&` needs no escape.
            let whole = section(from, "<![CDATA[", "]]>").or_else(|| section(from, "<!--", "-->")).unwrap_or(1);
            (whole, whole)
        };
        out.push_str(from.get(..kept).unwrap_or_default());
        rest = from.get(behind..).unwrap_or_default();
    }
    // Nothing was changed.
    if out.len() + rest.len() == document.len() {
        return document;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The length of a section with this beginning and end; without an end it is the rest.
fn section(from: &str, begin: &str, end: &str) -> Option<usize> {
    let behind = from.strip_prefix(begin)?;
    Some(behind.find(end).map_or(from.len(), |at| begin.len() + at + end.len()))
}

fn is_reference(from: &str) -> bool {
    let body = from.get(1..).unwrap_or_default();
    let number = body.strip_prefix('#');
    let name = number.unwrap_or(body);
    let length = name.bytes().take(MAX_LENGTH + 1).take_while(u8::is_ascii_alphanumeric).count();
    let ends = name.get(length..).is_some_and(|behind| behind.starts_with(';'));
    let (Some(name), true) = (name.get(..length), ends && length > 0) else {
        return false;
    };
    match number {
        // For an invalid code point, the parser would refuse the whole feed.
        Some(_) => {
            let code = match name.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => name.parse(),
            };
            code.ok().and_then(char::from_u32).is_some_and(|c| !is_invalid(c))
        }
        None => true,
    }
}

/// Whether XML 1.0 does not allow the character (section 2.2).
fn is_invalid(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_valid_document_is_unchanged() {
        let valid = "<a b='1&amp;2'>R&amp;D &#8217; &nbsp; <![CDATA[a & b &c]]><!-- & --></a>";
        assert!(matches!(repair(valid), Cow::Borrowed(text) if text == valid));
    }

    #[test]
    fn a_lone_ampersand_is_escaped() {
        for (broken, expected) in [
            ("<a>AT&T & Co &</a>", "<a>AT&amp;T &amp; Co &amp;</a>"),
            ("<a b='?x=1&y=2'/>", "<a b='?x=1&amp;y=2'/>"),
            ("&#0; &#xd800; &#x; &#; &;", "&amp;#0; &amp;#xd800; &amp;#x; &amp;#; &amp;;"),
            ("<![CDATA[ & ]]> & <![CDATA[ &", "<![CDATA[ & ]]> &amp; <![CDATA[ &"),
            ("<!-- & --> & <!-- &", "<!-- & --> &amp; <!-- &"),
            ("a\0b & c\u{1f}", "ab &amp; c"),
        ] {
            assert_eq!(repair(broken), expected, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn repair_is_idempotent(bits in prop::collection::vec(prop::sample::select(vec![
            "&", "amp", ";", "#", "x", "65", "<", "!--", "-->", "<![CDATA[", "]]>", " ", "a", "\0", "\u{e9}", "\u{ffff}",
        ]), 0..40)) {
            let raw = bits.concat();
            let once = repair(&raw).into_owned();
            let twice = repair(&once).into_owned();
            prop_assert_eq!(&twice, &once);
            prop_assert!(!once.contains(is_invalid));
        }
    }
}
