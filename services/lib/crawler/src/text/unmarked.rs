//! Text that is not HTML, and text that may be HTML.

use html_escape::encode_text;

use super::line;

/// The longest text of unknown format that is read, in bytes.
const MAX_LENGTH: usize = 16_384;
/// The bytes of a tag in which its end or its first attribute is looked for.
const MAX_LOOKAHEAD: usize = 256;

/// The elements of HTML, also obsolete ones.
const ELEMENTS: [&str; 128] = [
    "a",
    "abbr",
    "acronym",
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "nav",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "picture",
    "pre",
    "progress",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "video",
];

/// Elements whose content is not text. Without an end tag, they are words of a text.
const HIDDEN: [&str; 7] = ["iframe", "noembed", "noframes", "script", "style", "template", "textarea"];

/// Converts text without markup and references to one line of at most `most` characters, like [`line`].
#[must_use]
pub fn literal_line(raw: &str, most: usize) -> String {
    line(&encode_text(raw), most)
}

/// Like [`line`], for text that may be HTML or not. Text that looks like a tag but is no tag of HTML stays:
/// `List<String>`, `if a <b and c> d`. Tags alone are plain text: `<br>`.
#[must_use]
pub fn line_of_either(raw: &str, most: usize) -> String {
    let raw = raw.get(..raw.floor_char_boundary(MAX_LENGTH)).unwrap_or(raw);
    let html = line(&escape_non_tags(raw), most);
    if html.is_empty() && raw.contains('<') { literal_line(raw, most) } else { html }
}

/// Escapes each `<` that begins no tag and no comment of HTML.
fn escape_non_tags(raw: &str) -> String {
    let lower = raw.to_ascii_lowercase();
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, from)) = rest.find('<').and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let lower = lower.get(raw.len() - from.len()..).unwrap_or_default();
        out.push_str(if begins_markup(lower) { "<" } else { "&lt;" });
        rest = from.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether this text in lower case begins with a tag or a comment.
fn begins_markup(from: &str) -> bool {
    if let Some(comment) = from.strip_prefix("<!--") {
        return comment.contains("-->");
    }
    let closing = from.strip_prefix("</");
    let named = closing.or_else(|| from.strip_prefix('<')).unwrap_or_default();
    let length = named.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (Some(name), Some(behind)) = (named.get(..length), named.get(length..)) else { return false };
    if ELEMENTS.binary_search(&name).is_err() {
        return false;
    }
    if closing.is_none() && HIDDEN.contains(&name) && !behind.contains(&format!("</{name}")) {
        return false;
    }
    let behind = behind.get(..behind.floor_char_boundary(MAX_LOOKAHEAD)).unwrap_or(behind);
    match behind.chars().next() {
        Some('>' | '/') => true,
        // `<b and c>` has no attributes with values.
        Some(c) if c.is_whitespace() => match behind.find(['>', '=', '<']).and_then(|at| behind.split_at_checked(at)) {
            Some((attributes, end)) => match end.chars().next() {
                Some('=') => true,
                Some('>') => attributes.trim_end_matches('/').trim().is_empty(),
                _ => false,
            },
            None => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_elements_are_sorted() {
        assert!(ELEMENTS.is_sorted());
    }

    #[test]
    fn plain_text_stays_as_it_is() {
        for text in [
            "the <div> element",
            "if a <b and c> d",
            "List<String> generics",
            "AT&amp;T literally",
            "</kubernetes>",
            "<!-- no comment -->",
            "5 < 6",
            "&copy 2026",
            "<script>alert(1)</script>",
        ] {
            assert_eq!(literal_line(text, 99), text);
        }
        assert_eq!(literal_line(" a\n\u{202e}b\0 ", 99), "a b");
        assert_eq!(literal_line("<<<<<<", 4), "<<<\u{2026}");
    }

    #[test]
    fn only_what_html_knows_is_markup() {
        for (raw, expected) in [
            ("A <em>Second</em> Look", "A Second Look"),
            ("A <EM class='x'>Second</EM ><br/>Look<br />here", "A Second Look here"),
            ("AT&amp;T &#8217;26", "AT&T \u{2019}26"),
            ("a <!-- no --> b", "a b"),
            ("<script>alert(1)</script>Plain", "Plain"),
            ("<a href=\"https://a.example/?b=c\">Link</a>", "Link"),
            ("List<String> of Map<K, V>", "List<String> of Map<K, V>"),
            ("if a <b and c> d", "if a <b and c> d"),
            ("</kubernetes>", "</kubernetes>"),
            ("</backslash>", "</backslash>"),
            ("<T> and <T extends Court>", "<T> and <T extends Court>"),
            ("x <b", "x <b"),
            ("x <!", "x <!"),
            ("1 < 2 <3 <> </> <?php x ?>", "1 < 2 <3 <> </> <?php x ?>"),
            ("The <script> tag explained", "The <script> tag explained"),
            ("an <!-- open comment", "an <!-- open comment"),
            ("<br>", "<br>"),
            ("<p></p>", "<p></p>"),
            ("&nbsp;", ""),
            ("R. v. <Redacted>", "R. v. <Redacted>"),
            ("", ""),
            (" ", ""),
        ] {
            assert_eq!(line_of_either(raw, 99), expected, "{raw}");
        }
    }

    #[test]
    fn a_text_of_marks_takes_bounded_time() {
        for mark in ["<", "<a ", "<script>", "<!--", "</", "<b x", "\u{e9}<i\u{e9}"] {
            let long = line_of_either(&mark.repeat(1 << 19), 500);
            assert!(long.chars().count() <= 500, "{mark}");
        }
    }
}
