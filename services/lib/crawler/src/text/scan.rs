//! Takes HTML apart: text and tags, in one pass over the bytes.
//!
//! After the tokenizer of the HTML standard (13.2.5), as far as it decides what is text. Attributes are stepped over, not
//! kept: a tokenizer for browsers compares each with all before it, and a tag of a megabyte would take it minutes.

/// What stands one after the other.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// Text with its references as written.
    Text(&'a str),
    Tag(Tag<'a>),
}

/// A start or end tag, by its name alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) opens: bool,
}

/// Elements that are paragraphs: an empty line stands before and behind.
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

/// Elements that begin and end on a line of their own.
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

/// Elements whose content is not text for readers.
const HIDDEN: [&str; 9] = ["iframe", "noembed", "noframes", "script", "style", "template", "textarea", "title", "xmp"];

impl Tag<'_> {
    fn is(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }

    /// How many line breaks part what is before it from what is behind it.
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
pub(super) struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Self { rest: html }
    }

    /// Gives up what has been looked at, up to a byte at which a character begins.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Steps over everything up to and with `mark`; without one that is all there is, as in browsers.
    fn skip_past(&mut self, mark: &str) {
        let at = self.rest.find(mark).map_or(self.rest.len(), |at| at + mark.len());
        self.take(at);
    }

    /// The tag that begins here, stepped over whole. Nothing for one that never ends: it takes the rest with it.
    fn tag(&mut self, opens: bool) -> Option<Tag<'a>> {
        self.take(if opens { 1 } else { 2 });
        let end = self.rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>'))?;
        let name = self.take(end);
        self.attributes()?;
        if opens && HIDDEN.iter().any(|hidden| name.eq_ignore_ascii_case(hidden)) {
            self.hidden(name);
        }
        Some(Tag { name, opens })
    }

    /// Steps over attributes and the `>` behind them. Only in a quoted value may a `>` stand, and only `=` begins a value.
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

    /// Steps over the content of a hidden element, up to its end tag.
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

    /// What begins with the `<` here, if that is markup at all.
    fn markup(&mut self) -> Option<Markup<'a>> {
        let mut behind = self.rest.chars().skip(1);
        match (behind.next(), behind.next()) {
            (Some('!'), _) if self.rest.starts_with("<!--") => {
                // `<!-->` and `<!--->` are whole comments: the end may share its dashes with the beginning.
                self.take(2);
                if self.rest.starts_with("-->") || self.rest.starts_with("--->") {
                    self.skip_past(">");
                } else {
                    self.take(2);
                    self.skip_past("-->");
                }
                Some(Markup::Nothing)
            }
            (Some('!' | '?'), _) => {
                self.skip_past(">");
                Some(Markup::Nothing)
            }
            (Some('/'), Some(c)) if c.is_ascii_alphabetic() => Some(self.tag(false).map_or(Markup::End, Markup::Tag)),
            (Some('/'), Some(_)) => {
                self.skip_past(">");
                Some(Markup::Nothing)
            }
            (Some(c), _) if c.is_ascii_alphabetic() => Some(self.tag(true).map_or(Markup::End, Markup::Tag)),
            _ => None,
        }
    }
}

/// What a `<` began.
enum Markup<'a> {
    Tag(Tag<'a>),
    /// A comment or the like.
    Nothing,
    /// A tag without an end.
    End,
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
                Some(Markup::Nothing) => {}
                Some(Markup::End) => {
                    self.rest = "";
                    return None;
                }
                // A sign like any other: `a < b`.
                None => return Some(Piece::Text(self.take(1))),
            }
        }
    }
}
