//! Splits HTML into text and tags, in one pass over the bytes.
//!
//! It follows the tokenizer of the HTML standard (13.2.5), as far as that decides what is text. Attributes are skipped: the
//! tokenizer of a browser compares each with all previous ones, which takes minutes for a tag of a megabyte.

/// A piece of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text with its references.
    Text(&'a str),
    Tag(Tag<'a>),
}

/// A start or end tag.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    pub(crate) opens: bool,
    /// The attributes as written.
    pub(crate) attributes: &'a str,
    /// The content of an element whose content is not visible text, as written.
    pub(crate) content: &'a str,
}

/// Paragraphs, with an empty line before and after them.
const PARAGRAPHS: [&str; 19] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "dl",
    "fieldset",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ol",
    "p",
    "pre",
    "table",
    "ul",
];

/// Elements that begin and end a line.
const LINES: [&str; 23] = [
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dt",
    "figcaption",
    "footer",
    "form",
    "head",
    "header",
    "html",
    "main",
    "menu",
    "nav",
    "option",
    "section",
    "summary",
    "tbody",
    "tr",
    "title",
];

/// Elements whose content is not visible text.
const HIDDEN: [&str; 9] = ["iframe", "noembed", "noframes", "script", "style", "template", "textarea", "title", "xmp"];

impl Tag<'_> {
    fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }

    /// The line breaks between the text before and after the tag.
    pub(super) fn lines(&self) -> u8 {
        if self.is(&PARAGRAPHS) { 2 } else { u8::from(self.is(&LINES) || self.is_item() || self.is_break()) }
    }

    pub(super) fn is_item(&self) -> bool {
        self.is(&["li"])
    }

    pub(super) fn is_break(&self) -> bool {
        self.is(&["br"])
    }

    pub(super) fn is_cell(&self) -> bool {
        self.is(&["td", "th"])
    }
}

/// The pieces of a document, in order.
pub(crate) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(html: &'a str) -> Self {
        Self { rest: html }
    }

    /// Consumes bytes, up to a character boundary.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Skips everything up to and including `mark`; without one, the rest, as browsers do.
    fn skip_past(&mut self, mark: &str) {
        let at = self.rest.find(mark).map_or(self.rest.len(), |at| at + mark.len());
        self.take(at);
    }

    /// Consumes a tag. `None` when it never ends: then the rest is not text.
    fn tag(&mut self, opens: bool) -> Option<Tag<'a>> {
        self.take(if opens { 1 } else { 2 });
        let end = self.rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
        let name = self.take(end);
        let start = self.rest;
        self.attributes()?;
        let attributes = consumed(start, self.rest);
        let start = self.rest;
        if opens && HIDDEN.iter().any(|hidden| name.eq_ignore_ascii_case(hidden)) {
            self.hidden(name);
        }
        Some(Tag { name, opens, attributes, content: consumed(start, self.rest) })
    }

    /// Skips the attributes and the `>` after them. Only a quoted value can contain `>`, and only `=` begins a value.
    fn attributes(&mut self) -> Option<()> {
        loop {
            let at = self.rest.find(['>', '='])?;
            let found = self.take(at + 1);
            if found.ends_with('>') {
                return Some(());
            }
            let spaces = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
            self.take(spaces);
            match self.rest.chars().next()? {
                quote @ ('"' | '\'') => {
                    self.take(1);
                    let end = self.rest.find(quote)?;
                    self.take(end + 1);
                }
                _ => {
                    let end = self.rest.find(|c: char| c.is_ascii_whitespace() || c == '>')?;
                    self.take(end);
                }
            }
        }
    }

    /// Skips the content of a hidden element, up to its end tag.
    fn hidden(&mut self, name: &str) {
        loop {
            let Some(at) = self.rest.find("</") else {
                self.rest = "";
                return;
            };
            let behind = self.rest.get(at + 2..).unwrap_or_default();
            let named = behind.get(..name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
            let after = behind.get(name.len()..).and_then(|rest| rest.chars().next());
            if named && after.is_none_or(|c| c.is_ascii_whitespace() || matches!(c, '/' | '>')) {
                self.take(at);
                return;
            }
            self.take(at + 2);
        }
    }

    /// Consumes the markup that begins with this `<`; `None` when it is text.
    fn markup(&mut self) -> Option<Markup<'a>> {
        let mut behind = self.rest.chars().skip(1);
        match (behind.next(), behind.next()) {
            (Some('!'), _) if self.rest.starts_with("<!--") => {
                // `<!-->` and `<!--->` are complete comments: the end may share its dashes with the beginning.
                self.take(2);
                if self.rest.starts_with("-->") || self.rest.starts_with("--->") {
                    self.skip_past(">");
                } else {
                    self.take(2);
                    self.skip_past("-->");
                }
                Some(Markup::Ignored)
            }
            (Some('!' | '?'), _) => {
                self.skip_past(">");
                Some(Markup::Ignored)
            }
            (Some('/'), Some(c)) if c.is_ascii_alphabetic() => {
                Some(self.tag(false).map_or(Markup::Unterminated, Markup::Tag))
            }
            (Some('/'), Some(_)) => {
                self.skip_past(">");
                Some(Markup::Ignored)
            }
            (Some(c), _) if c.is_ascii_alphabetic() => Some(self.tag(true).map_or(Markup::Unterminated, Markup::Tag)),
            _ => None,
        }
    }
}

/// The part of `start` before its suffix `rest`.
fn consumed<'a>(start: &'a str, rest: &str) -> &'a str {
    start.get(..start.len() - rest.len()).unwrap_or_default()
}

/// Markup after a `<`.
enum Markup<'a> {
    Tag(Tag<'a>),
    /// A comment, a document type or a processing instruction.
    Ignored,
    /// A tag without an end.
    Unterminated,
}

impl<'a> Iterator for Scan<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            if !self.rest.starts_with('<') {
                let end = self.rest.find('<').unwrap_or(self.rest.len());
                return (end > 0).then(|| Piece::Text(self.take(end)));
            }
            match self.markup() {
                Some(Markup::Tag(tag)) => return Some(Piece::Tag(tag)),
                Some(Markup::Ignored) => {}
                Some(Markup::Unterminated) => {
                    self.rest = "";
                    return None;
                }
                // A `<` in text: `a < b`.
                None => return Some(Piece::Text(self.take(1))),
            }
        }
    }
}
