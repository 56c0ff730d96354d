//! Topics in texts of feed: `#` and a name of letters, digits and `_`, compared without case.
//!
//! The rule of UAX #31 for hashtags: a topic begins with a letter, a digit or `_` and continues with `XID_Continue`, so that the
//! vowel signs of a letter belong to it. The joiners U+200C and U+200D are part of a topic between two such characters: Persian and
//! the scripts of India spell with them. `topics.cases.json` has the cases that `web/src/features/posts/text/topic-text.ts` shares.

use std::ops::RangeInclusive;

use unicode_ident::is_xid_continue;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// The length of a topic without its `#`, in characters.
const LENGTH: RangeInclusive<usize> = 2..=50;

/// The form in which topics are compared: composed and in lower case. `None` if the text is no topic.
#[must_use]
pub fn parse(raw: &str) -> Option<String> {
    // The lower case of this letter alone has another length.
    let topic = raw.nfc().collect::<String>().replace('İ', "i").to_lowercase().nfc().collect::<String>();
    (LENGTH.contains(&topic.chars().count()) && end_of_topic(&topic) == topic.len()).then_some(topic)
}

/// The topics of a text in lower case, each once, in its order. Addresses contain none.
pub fn topics_in(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace().filter(|word| !word.contains("://") && !word.starts_with("www."));
    words.flat_map(|word| {
        word.match_indices('#').filter_map(|(at, _)| {
            let before = word.get(..at)?.chars().next_back();
            if before.is_some_and(|c| continues_topic(c) || matches!(c, '#' | '&' | '/')) {
                return None;
            }
            let after = word.get(at + 1..)?;
            parse(after.get(..end_of_topic(after))?)
        })
    })
}

/// The length in bytes of the topic at the beginning of a text; 0 if there is none.
fn end_of_topic(text: &str) -> usize {
    let mut end = 0;
    let mut joiner = false;
    for (at, c) in text.char_indices() {
        if continues_topic(c) && (at > 0 || !is_combining_mark(c)) {
            end = at + c.len_utf8();
            joiner = false;
        } else if is_joiner(c) && end > 0 && !joiner {
            joiner = true;
        } else {
            break;
        }
    }
    end
}

fn continues_topic(c: char) -> bool {
    (c.is_alphanumeric() || is_xid_continue(c)) && !is_invisible(c)
}

/// `Default_Ignorable_Code_Point` among letters and marks: joiners, selectors of a glyph, fillers. With them, topics that look the same
/// would differ, and the emoji of a key (`1` and a selector) would be a topic.
fn is_invisible(c: char) -> bool {
    is_joiner(c)
        || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}')
        || matches!(c, '\u{2065}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        topics_in(text).collect()
    }

    #[test]
    fn topics_are_those_of_the_shared_cases() {
        let cases: Vec<(String, Vec<String>)> = serde_json::from_str(include_str!("topics.cases.json")).unwrap();
        for (text, topics) in cases {
            assert_eq!(found(&text), topics, "{text}");
        }
    }

    #[test]
    fn a_topic_has_one_form() {
        for (raw, topic) in [
            ("cafe\u{301}", "café"),
            ("CAFÉ", "café"),
            ("हिन्दी", "हिन्दी"),
            ("نرم\u{200c}افزار", "نرم\u{200c}افزار"),
            ("İstanbul", "istanbul"),
            ("I\u{307}stanbul", "istanbul"),
        ] {
            assert_eq!(parse(raw).as_deref(), Some(topic), "{raw}");
            assert_eq!(parse(topic).as_deref(), Some(topic), "{raw}");
        }
        assert_eq!(parse(&"e\u{301}".repeat(50)), Some("é".repeat(50)), "its length is that of the composed form");
    }

    #[test]
    fn other_texts_are_no_topics() {
        for raw in [
            "",
            "a",
            "a b",
            "#moot",
            "moot!",
            "moot\0",
            "\u{307}\u{307}",
            "\u{301}ab",
            "\u{200c}ab",
            "ab\u{200d}",
            "a\u{200c}\u{200d}b",
            "a\u{200b}b",
            "a\u{202e}b",
            "1\u{fe0f}\u{20e3}",
            "ab\u{fe0f}",
            "ab\u{3164}",
            "ab\u{e0101}",
        ] {
            assert_eq!(parse(raw), None, "{raw:?}");
        }
    }
}
