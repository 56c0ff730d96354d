//! Excerpts of articles for lists: the beginning of the Markdown as plain text.
//!
//! Handles the subset of Markdown that the client renders; everything else stays as written.

/// The maximum length of an excerpt, in characters.
pub const MAX_EXCERPT: usize = 600;
/// The characters that are read: bounds the time for a text of markup only.
const MAX_INPUT: usize = 8_000;

/// The beginning of a text without markup.
pub fn excerpt(text: &str) -> String {
    let (mut plain, mut is_code) = (String::new(), false);
    let beginning: String = text.chars().take(MAX_INPUT).collect();
    for line in beginning.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let text = if is_code { line.to_owned() } else { strip_inline(strip_block(line)) };
        if !text.is_empty() {
            let separator = if plain.is_empty() { "" } else { "\n" };
            plain.extend([separator, &text]);
        }
    }
    if plain.chars().nth(MAX_EXCERPT).is_none() {
        return plain;
    }
    let cut: String = plain.chars().take(MAX_EXCERPT - 1).collect();
    format!("{}\u{2026}", cut.trim_end())
}

/// A line without the markup of headings, rules, quotes and list items.
fn strip_block(line: &str) -> &str {
    let is_rule = |sign| line.len() >= 3 && line.chars().all(|c| c == sign);
    if is_rule('-') || is_rule('*') {
        return "";
    }
    let heading = line.trim_start_matches('#');
    if (1..=3).contains(&(line.len() - heading.len())) && heading.starts_with(char::is_whitespace) {
        return heading.trim_end_matches('#').trim();
    }
    if let Some(quoted) = line.strip_prefix('>') {
        return quoted.trim_start();
    }
    let item = line.strip_prefix(['-', '*', '+']).filter(|item| item.starts_with(char::is_whitespace));
    item.map_or(line, str::trim_start)
}

/// A line without the markup of bold, italic and code texts and of links.
fn strip_inline(line: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, marked)) = rest.find(['`', '*', '[']).and_then(|at| rest.split_at_checked(at)) {
        plain.push_str(before);
        let shown = enclosed(marked, "`").or_else(|| enclosed(marked, "**")).or_else(|| enclosed(marked, "*"));
        if let Some((shown, after)) = shown.or_else(|| link(marked)) {
            plain.push_str(shown);
            rest = after;
        } else {
            let mut signs = marked.chars();
            plain.extend(signs.next());
            rest = signs.as_str();
        }
    }
    plain + rest
}

/// The text between two marks, and the text after them.
fn enclosed<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let sign = mark.chars().next()?;
    let (inner, after) = text.strip_prefix(mark)?.split_once(sign)?;
    let after = after.strip_prefix(mark.strip_prefix(sign)?)?;
    (!inner.is_empty()).then_some((inner, after))
}

/// The text of a link, and the text after it.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, target) = text.strip_prefix('[')?.split_once(']')?;
    let (address, after) = target.strip_prefix('(')?.split_once(')')?;
    let is_address = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    let is_plain = !address.contains(|c: char| c == '(' || c.is_whitespace());
    let has_label = !label.is_empty() && !label.contains('[') && label.chars().count() <= 300;
    (is_address && is_plain && has_label).then_some((label, after))
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
}
