//! What real feeds get wrong and readers forgive: characters XML does not have, and an `&` that is only an `&`.

use std::borrow::Cow;

/// Modules whose elements are unused here, while feed-rs parses them, and panics at a duration of twenty digits.
const UNREAD: [&str; 2] = ["http://search.yahoo.com/mrss/", "http://www.itunes.com/dtds/podcast-1.0.dtd"];

/// The longest name of an entity, in bytes.
const LONGEST: usize = 32;

/// The document with what XML cannot have taken out, modules that are not read made unknown ones, and every `&` that begins
/// no reference written as one.
pub(super) fn repaired(document: &str) -> Cow<'_, str> {
    let document = if document.contains(is_foreign) {
        Cow::Owned(document.replace(is_foreign, ""))
    } else {
        Cow::Borrowed(document)
    };
    let document = UNREAD.iter().fold(document, |document, module| {
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
            // Within these an `&` is itself.
            let whole = through(from, "<![CDATA[", "]]>").or_else(|| through(from, "<!--", "-->")).unwrap_or(1);
            (whole, whole)
        };
        out.push_str(from.get(..kept).unwrap_or_default());
        rest = from.get(behind..).unwrap_or_default();
    }
    // Nothing was added: it is as it was.
    if out.len() + rest.len() == document.len() {
        return document;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// How long what begins so is, with its end; without one it is the rest.
fn through(from: &str, begin: &str, end: &str) -> Option<usize> {
    let behind = from.strip_prefix(begin)?;
    Some(behind.find(end).map_or(from.len(), |at| begin.len() + at + end.len()))
}

fn is_reference(from: &str) -> bool {
    let body = from.get(1..).unwrap_or_default();
    let number = body.strip_prefix('#');
    let name = number.unwrap_or(body);
    let length = name.bytes().take(LONGEST + 1).take_while(u8::is_ascii_alphanumeric).count();
    let ends = name.get(length..).is_some_and(|behind| behind.starts_with(';'));
    let (Some(name), true) = (name.get(..length), ends && length > 0) else {
        return false;
    };
    match number {
        // A number that is no character would end the whole feed.
        Some(_) => {
            let code = match name.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => name.parse(),
            };
            code.ok().and_then(char::from_u32).is_some_and(|c| !is_foreign(c))
        }
        None => true,
    }
}

/// What XML 1.0 has no place for (section 2.2).
fn is_foreign(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_sound_stays_as_it_is() {
        let sound = "<a b='1&amp;2'>R&amp;D &#8217; &nbsp; <![CDATA[a & b &c]]><!-- & --></a>";
        assert!(matches!(repaired(sound), Cow::Borrowed(text) if text == sound));
    }

    #[test]
    fn a_lone_ampersand_is_written_out() {
        for (broken, mended) in [
            ("<a>AT&T & Co &</a>", "<a>AT&amp;T &amp; Co &amp;</a>"),
            ("<a b='?x=1&y=2'/>", "<a b='?x=1&amp;y=2'/>"),
            ("&#0; &#xd800; &#x; &#; &;", "&amp;#0; &amp;#xd800; &amp;#x; &amp;#; &amp;;"),
            ("<![CDATA[ & ]]> & <![CDATA[ &", "<![CDATA[ & ]]> &amp; <![CDATA[ &"),
            ("<!-- & --> & <!-- &", "<!-- & --> &amp; <!-- &"),
            ("a\0b & c\u{1f}", "ab &amp; c"),
        ] {
            assert_eq!(repaired(broken), mended, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn repairing_twice_is_repairing_once(bits in prop::collection::vec(prop::sample::select(vec![
            "&", "amp", ";", "#", "x", "65", "<", "!--", "-->", "<![CDATA[", "]]>", " ", "a", "\0", "\u{e9}", "\u{ffff}",
        ]), 0..40)) {
            let raw = bits.concat();
            let once = repaired(&raw).into_owned();
            let twice = repaired(&once).into_owned();
            prop_assert_eq!(&twice, &once);
            prop_assert!(!once.contains(is_foreign));
        }
    }
}
