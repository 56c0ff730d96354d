//! What lists show of an article: the beginning of its Markdown as plain text. Only the small part of Markdown that the
//! client draws is a mark here; anything else is what was written.

/// Characters of an excerpt, at most.
pub const EXCERPT: usize = 600;
/// Characters of the text that are looked at: marks are cheap to write, and nobody is to wait for them.
const LOOKED_AT: usize = 8_000;

/// The beginning of a text without its marks.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let (mut plain, mut is_code) = (String::new(), false);
    let beginning: String = text.chars().take(LOOKED_AT).collect();
    for line in beginning.lines().map(str::trim) {
        if line.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let words = if is_code { line.to_owned() } else { without_marks(unblocked(line)) };
        if !words.is_empty() {
            let gap = if plain.is_empty() { "" } else { "\n" };
            plain.extend([gap, &words]);
        }
    }
    if plain.chars().nth(EXCERPT).is_none() {
        return plain;
    }
    let cut: String = plain.chars().take(EXCERPT - 1).collect();
    format!("{}\u{2026}", cut.trim_end())
}

/// A line without what makes it a heading, a rule, a quote or a list's.
fn unblocked(line: &str) -> &str {
    let is_rule = |sign| line.len() >= 3 && line.chars().all(|c| c == sign);
    if is_rule('-') || is_rule('*') {
        return "";
    }
    let words = line.trim_start_matches('#');
    if (1..=3).contains(&(line.len() - words.len())) && words.starts_with(char::is_whitespace) {
        return words.trim_end_matches('#').trim();
    }
    if let Some(quoted) = line.strip_prefix('>') {
        return quoted.trim_start();
    }
    let item = line.strip_prefix(['-', '*', '+']).filter(|item| item.starts_with(char::is_whitespace));
    item.map_or(line, str::trim_start)
}

/// The same without what makes words bold, italic, code or a link.
fn without_marks(line: &str) -> String {
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

/// What stands between two marks, and what comes after them.
fn enclosed<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let sign = mark.chars().next()?;
    let (inner, after) = text.strip_prefix(mark)?.split_once(sign)?;
    let after = after.strip_prefix(mark.strip_prefix(sign)?)?;
    (!inner.is_empty()).then_some((inner, after))
}

/// The words of a link, and what comes after it.
fn link(text: &str) -> Option<(&str, &str)> {
    let (words, target) = text.strip_prefix('[')?.split_once(']')?;
    let (address, after) = target.strip_prefix('(')?.split_once(')')?;
    let is_address = ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme));
    let is_plain = !address.contains(|c: char| c == '(' || c.is_whitespace());
    let has_words = !words.is_empty() && !words.contains('[') && words.chars().count() <= 300;
    (is_address && is_plain && has_words).then_some((words, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out_and_words_stay() {
        let text = "# The *rule* ##\n\nAs **held** in [Doe](https://x.example/a_b), `stare decisis`:\n\n- one\n* two\n1. three\n\
            > quoted\n>\n---\n```\n# not a **heading**\n```\n***\nThe end. ";
        let plain =
            "The rule\nAs held in Doe, stare decisis:\none\ntwo\n1. three\nquoted\n# not a **heading**\nThe end.";
        assert_eq!(excerpt(text), plain);
    }

    #[test]
    fn what_is_no_mark_is_what_was_written() {
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
    fn it_is_cut_at_its_length_and_reads_no_more_than_it_must() {
        let long = excerpt(&"\u{f1}".repeat(40_000));
        assert_eq!((long.chars().count(), long.ends_with('\u{2026}')), (EXCERPT, true));
        assert_eq!(excerpt(&"a".repeat(EXCERPT)), "a".repeat(EXCERPT));
        for mark in ["[", "*", "`", "**", "[a](", "](", "\n", "> ", "```\n"] {
            assert!(excerpt(&mark.repeat(40_000)).chars().count() <= EXCERPT, "{mark:?}");
        }
        assert_eq!((excerpt(""), excerpt("[[a](https://x.example)")), (String::new(), "[a".to_owned()));
    }
}
