//! Excerpts of articles for lists: the beginning of the Markdown as plain text.
//!
//! They support the subset of Markdown that the web client renders; everything else stays as written. Both are tested with
//! `web/src/features/posts/markdown-corpus.json`. A block is one line, except fenced code, so each line is parsed alone.

use std::{collections::HashSet, iter, ops::Range};

use portia_proto::mentions::without_cut_token;
use primitives::input::Link;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag};

/// The maximum length of an excerpt, in characters.
pub const MAX_EXCERPT: usize = 600;
/// The number of characters to read. It bounds the time for a text that is only markup.
const MAX_INPUT: usize = 8_000;
/// The maximum length of the text of a link, in characters.
const MAX_LABEL: usize = 300;

/// Returns the beginning of a text without markup.
pub fn excerpt(text: &str) -> String {
    let (mut plain, mut is_code) = (String::new(), false);
    let beginning: String = text.chars().take(MAX_INPUT).collect();
    for line in beginning.split(['\n', '\u{2028}', '\u{2029}']) {
        let trimmed = line.trim();
        // An indented fence opens a block of code, but does not close it.
        let fence = if is_code { line } else { trimmed };
        if fence.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let text = if is_code { trimmed.to_owned() } else { strip_inline(strip_block(trimmed)) };
        if !text.is_empty() {
            let separator = if plain.is_empty() { "" } else { "\n" };
            plain.extend([separator, &text]);
        }
    }
    if plain.chars().nth(MAX_EXCERPT).is_none() {
        return plain;
    }
    let cut: String = plain.chars().take(MAX_EXCERPT - 1).collect();
    format!("{}\u{2026}", without_cut_token(&cut).trim_end())
}

/// Removes the markup of headings, rules, quotes and list items from a line.
fn strip_block(line: &str) -> &str {
    // CommonMark knows only spaces and tabs after a mark; the web client accepts all white space.
    match Parser::new(&line.replace(char::is_whitespace, " ")).next() {
        Some(Event::Start(Tag::Heading { level: HeadingLevel::H1 | HeadingLevel::H2 | HeadingLevel::H3, .. })) => {
            Some(line.trim_matches('#').trim()).filter(|title| !title.is_empty()).unwrap_or(line)
        }
        Some(Event::Start(Tag::BlockQuote(_))) => line.strip_prefix('>').unwrap_or(line).trim_start(),
        Some(Event::Rule) if ['-', '*'].iter().any(|sign| line.trim_matches(*sign).is_empty()) => "",
        // CommonMark reads `- - -` as a rule, the web client as a list item.
        Some(Event::Rule | Event::Start(Tag::List(None))) => {
            let item = line.strip_prefix(['-', '*', '+']).filter(|item| item.starts_with(char::is_whitespace));
            item.map_or(line, str::trim_start)
        }
        _ => line,
    }
}

/// Removes the markup of bold, italic, code and links from a line.
fn strip_inline(line: &str) -> String {
    // The parser sees only the marks of the subset, and parentheses only where an address begins. A full stop in place of
    // every other byte turns off escapes, entities, HTML and underscores, and lets a mark open and close beside any
    // character, as in the web client. Positions stay the same.
    let is_mark = |at: usize, byte: u8| match byte {
        b'*' | b'`' | b'[' | b']' | b')' => true,
        b'(' => line.get(at..).is_some_and(|rest| rest.starts_with("(http")),
        _ => false,
    };
    let masked = line.bytes().enumerate().map(|(at, byte)| if is_mark(at, byte) { char::from(byte) } else { '.' });
    let masked: String = masked.collect();
    let (mut marks, mut emphasis_end, mut link_end) = (HashSet::new(), 0, 0);
    for (event, Range { start, end }) in Parser::new(&masked).into_offset_iter() {
        let width = match event {
            // The text of a link stays as written, as do code and links in bold and italic texts.
            _ if start < link_end => continue,
            Event::Start(tag @ (Tag::Emphasis | Tag::Strong)) => {
                emphasis_end = emphasis_end.max(end);
                if tag == Tag::Emphasis { 1 } else { 2 }
            }
            Event::Code(_) if start >= emphasis_end => 1,
            Event::Start(Tag::Link { dest_url, .. }) if start >= emphasis_end => {
                let address_start = (end - 1).saturating_sub(dest_url.len());
                let label_end = address_start.saturating_sub(2);
                let (label, address) = (line.get(start + 1..label_end), line.get(address_start..end - 1));
                if label.zip(address).is_some_and(|(label, address)| is_link(label, address)) {
                    marks.extend(iter::once(start).chain(label_end..end));
                    link_end = end;
                }
                continue;
            }
            _ => continue,
        };
        marks.extend((start..start + width).chain(end - width..end));
    }
    line.char_indices().filter(|(at, _)| !marks.contains(at)).map(|(_, shown)| shown).collect()
}

/// Returns whether the web client shows a link.
fn is_link(label: &str, address: &str) -> bool {
    let is_label = !label.is_empty() && !label.contains(['[', ']']) && label.chars().count() <= MAX_LABEL;
    let is_plain = !address.contains(|c: char| c == '(' || c.is_whitespace());
    is_label && is_plain && Link::parse("link", address).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_removed_and_text_stays() {
        let text = "# The *rule* ##\n\nAs **held** in [Doe](https://x.example/a_b), `stare decisis`:\n\n- one\n* two\n1. three\n\
            > quoted\n>\n---\n```\n# not a **heading**\n```\n***\nThe end. ";
        let plain =
            "The rule\nAs held in Doe, stare decisis:\none\ntwo\n1. three\nquoted\n# not a **heading**\nThe end.";
        assert_eq!(excerpt(text), plain);
    }

    #[test]
    fn other_characters_stay_as_written() {
        for text in [
            "2 * 3 * 4 is *",
            "#hashtag",
            "#### four",
            "-minus",
            "[a](javascript:x)",
            "**",
            "`",
            "a < b & <b>bold</b>",
            "[x] (https://x.example)",
            "* ",
        ] {
            let expected = if text == "2 * 3 * 4 is *" { "2  3  4 is *" } else { text.trim() };
            assert_eq!(excerpt(text), expected, "{text}");
        }
    }

    #[test]
    fn length_and_input_are_bounded() {
        let long = excerpt(&"\u{f1}".repeat(40_000));
        assert_eq!((long.chars().count(), long.ends_with('\u{2026}')), (MAX_EXCERPT, true));
        assert_eq!(excerpt(&"a".repeat(MAX_EXCERPT)), "a".repeat(MAX_EXCERPT));
        for mark in ["[", "*", "`", "**", "[a](", "](", "\n", "> ", "```\n"] {
            assert!(excerpt(&mark.repeat(40_000)).chars().count() <= MAX_EXCERPT, "{mark:?}");
        }
        assert_eq!((excerpt(""), excerpt("[[a](https://x.example)")), (String::new(), "[a".to_owned()));
    }

    #[derive(serde::Deserialize)]
    struct Corpus {
        cases: Vec<Case>,
        repeated: Vec<Repeated>,
    }

    #[derive(serde::Deserialize)]
    struct Case {
        name: String,
        markdown: String,
        excerpt: String,
    }

    #[derive(serde::Deserialize)]
    struct Repeated {
        markdown: String,
        times: usize,
    }

    #[test]
    fn the_corpus_shared_with_the_web_client_passes() {
        let corpus = include_str!("../../../../web/src/features/posts/markdown-corpus.json");
        let corpus: Corpus = serde_json::from_str(corpus).unwrap();
        for case in corpus.cases {
            assert_eq!(excerpt(&case.markdown), case.excerpt, "{}", case.name);
        }
        for Repeated { markdown, times } in corpus.repeated {
            assert!(excerpt(&markdown.repeat(times)).chars().count() <= MAX_EXCERPT, "{markdown:?}");
        }
    }
}
