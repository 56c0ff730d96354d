//! Converts untrusted HTML and text to plain text.
//!
//! The result has no markup, no control or direction-override characters, is in NFC, and has a maximum length. The time is
//! linear in the input: there is no tree, no recursion, and no attribute is read twice.

mod references;
pub(crate) mod scan;
mod unmarked;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

pub(crate) use self::scan::{Piece, Scan};
pub use self::{
    references::unescape,
    unmarked::{line_of_either, literal_line},
};

/// The end of a cut text.
const ELLIPSIS: char = '\u{2026}';

/// Converts HTML to plain text of at most `most` characters: blocks become lines, an empty line separates paragraphs,
/// list items begin with `- `, entities are decoded, white space is folded, and scripts, styles and comments are
/// removed. A longer text is cut at a word and ends in an ellipsis.
///
/// Text without markup is unchanged, except that its line breaks are spaces, as in HTML.
#[must_use]
pub fn plain(html: &str, most: usize) -> String {
    let mut writer = TextWriter::new(most);
    for piece in Scan::new(html) {
        match piece {
            Piece::Text(raw) => writer.write(&unescape(raw)),
            Piece::Tag(tag) => writer.tag(&tag),
        }
        if writer.is_full() {
            break;
        }
    }
    cut(normalize(writer.out), most)
}

/// Like [`plain`], in one line.
#[must_use]
pub fn line(raw: &str, most: usize) -> String {
    let mut writer = TextWriter::new(most);
    for piece in Scan::new(raw) {
        match piece {
            Piece::Text(raw) => writer.write(&unescape(raw)),
            // `a<br>b` are two words, `a<b>b</b>` is one.
            Piece::Tag(tag) if tag.lines() > 0 || tag.is_cell() => writer.write(" "),
            Piece::Tag(_) => {}
        }
        if writer.is_full() {
            break;
        }
    }
    cut(normalize(writer.out), most)
}

/// Writes plain text with its separators.
struct TextWriter {
    out: String,
    /// Pending line breaks before the next character: 2 leave an empty line.
    breaks: u8,
    /// A pending space, unless line breaks are pending.
    space: bool,
    /// The next character is the first of a list item.
    bullet: bool,
    /// The bytes after which the writer is full. Normalisation never makes too few characters of them.
    capacity: usize,
}

impl TextWriter {
    fn new(most: usize) -> Self {
        // A character has up to four bytes, and composition joins a base with its marks: four characters suffice for every
        // natural text.
        Self {
            out: String::new(),
            breaks: 0,
            space: false,
            bullet: false,
            capacity: most.saturating_mul(16).saturating_add(64),
        }
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.capacity
    }

    fn write(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
            } else if !is_removed(c) {
                self.separate();
                self.out.push(c);
            }
            if self.is_full() {
                return;
            }
        }
    }

    /// Writes the pending separators.
    fn separate(&mut self) {
        if !self.out.is_empty() {
            match self.breaks {
                0 if self.space => self.out.push(' '),
                0 => {}
                1 => self.out.push('\n'),
                _ => self.out.push_str("\n\n"),
            }
        }
        if self.bullet {
            self.out.push_str("- ");
        }
        (self.breaks, self.space, self.bullet) = (0, false, false);
    }

    fn tag(&mut self, tag: &scan::Tag) {
        if tag.is_item() {
            (self.breaks, self.bullet) = (self.breaks.max(1), tag.opens);
        } else if tag.is_break() {
            self.breaks = (self.breaks + 1).min(2);
        } else if tag.is_cell() {
            self.space = true;
        } else if !self.bullet {
            // The first paragraph of a list item begins in its line.
            self.breaks = self.breaks.max(tag.lines());
        }
    }
}

/// Whether a character is removed: control characters, direction embeddings, overrides and isolates, characters of no width
/// that join nothing, and code points that are not characters.
fn is_removed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffc}' | '\u{fdd0}'..='\u{fdef}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (c as u32 & 0xfffe) == 0xfffe
}

fn normalize(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => text.nfc().collect(),
    }
}

/// Cuts plain text to at most `most` characters, after a word if one ends in the last half.
#[must_use]
pub fn cut(mut text: String, most: usize) -> String {
    if text.char_indices().nth(most).is_none() {
        return text;
    }
    let Some(last) = most.checked_sub(1) else {
        return String::new();
    };
    let byte = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let (half, end) = (byte(last / 2), byte(last));
    // Whether the cut is between two words.
    let between = text.get(end..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
    let word = text.get(half..end).and_then(|tail| tail.rfind(char::is_whitespace)).map(|at| half + at);
    text.truncate(if between { end } else { word.unwrap_or(end) });
    text.truncate(text.trim_end().len());
    text.push(ELLIPSIS);
    text
}

#[cfg(test)]
mod tests;
