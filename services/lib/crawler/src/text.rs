//! What people read: HTML and other people's text as plain text, without anything that could lie to a reader.
//!
//! Whatever comes in, what goes out has no markup, no control or direction-override characters, is in NFC and no longer
//! than asked for. The time is linear in what comes in: no tree, no recursion, no attribute is ever looked at twice.

mod references;
mod scan;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

pub use self::references::unescape;
use self::scan::{Piece, Scan};

/// What ends a cut text.
const CUT: char = '\u{2026}';

/// HTML as plain text of at most `most` characters: blocks become lines, paragraphs are set apart by an empty one, items
/// of lists begin with `- `, entities are decoded, white space is folded, scripts, styles and comments are gone. A
/// longer one is cut at a word and ends in an ellipsis.
///
/// Text that is no HTML passes as it is, save for its line breaks, which HTML takes for spaces.
#[must_use]
pub fn plain(html: &str, most: usize) -> String {
    let mut page = Page::new(most);
    for piece in Scan::new(html) {
        match piece {
            Piece::Text(raw) => page.write(&unescape(raw)),
            Piece::Tag(tag) => page.tag(&tag),
        }
        if page.is_full() {
            break;
        }
    }
    cut(normal(page.out), most)
}

/// The same as one line.
#[must_use]
pub fn line(raw: &str, most: usize) -> String {
    let mut page = Page::new(most);
    for piece in Scan::new(raw) {
        match piece {
            Piece::Text(raw) => page.write(&unescape(raw)),
            // `a<br>b` are two words, `a<b>b</b>` is one.
            Piece::Tag(tag) if tag.lines() > 0 || tag.is_cell() => page.write(" "),
            Piece::Tag(_) => {}
        }
        if page.is_full() {
            break;
        }
    }
    cut(normal(page.out), most)
}

/// Text on its way out.
struct Page {
    out: String,
    /// Line breaks owed before the next character: 2 leave an empty line.
    breaks: u8,
    /// A space is owed, unless breaks are.
    space: bool,
    /// The next character is the first of a list's item.
    bullet: bool,
    /// As many bytes are enough, whatever normalising makes of them.
    enough: usize,
}

impl Page {
    fn new(most: usize) -> Self {
        // A character is up to four bytes, and composing makes one of a base and its marks: four is room enough for all
        // but what is written to be cut short.
        Self {
            out: String::new(),
            breaks: 0,
            space: false,
            bullet: false,
            enough: most.saturating_mul(16).saturating_add(64),
        }
    }

    fn is_full(&self) -> bool {
        self.out.len() > self.enough
    }

    fn write(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
            } else if !is_unwanted(c) {
                self.separate();
                self.out.push(c);
            }
            if self.is_full() {
                return;
            }
        }
    }

    /// Writes what is owed before a character.
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
            // The paragraph that is an item's first begins where the item does.
            self.breaks = self.breaks.max(tag.lines());
        }
    }
}

/// What no reader should be sent: control characters, direction embeddings, overrides and isolates, what has no width
/// and joins nothing, and code points that are no characters.
fn is_unwanted(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffc}' | '\u{fdd0}'..='\u{fdef}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || (c as u32 & 0xfffe) == 0xfffe
}

fn normal(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => text.nfc().collect(),
    }
}

/// Text that is plain already, at most `most` characters of it: cut behind a word where there is one in the last half.
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
    // The character behind the cut tells whether it falls between two words.
    let between = text.get(end..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
    let word = text.get(half..end).and_then(|tail| tail.rfind(char::is_whitespace)).map(|at| half + at);
    text.truncate(if between { end } else { word.unwrap_or(end) });
    text.truncate(text.trim_end().len());
    text.push(CUT);
    text
}

#[cfg(test)]
mod tests;
