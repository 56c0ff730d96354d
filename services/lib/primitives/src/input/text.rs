//! Texts of bounded length without characters that harm a database, a log or a browser.

use std::{fmt, ops::Deref};

use unicode_normalization::{UnicodeNormalization as _, is_nfc_quick};
use unicode_properties::{GeneralCategory, UnicodeEmoji as _, UnicodeGeneralCategory as _};

use crate::error::Violation;

/// Text of 1 to `MAX` characters with line breaks, not blank, NFC, without control or direction-override characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text<const MAX: usize>(String);

/// The marks on one letter: Vietnamese and Hebrew have two, Arabic and Burmese three. More of them reach into other lines.
const MAX_MARKS: usize = 3;
/// With the vowel signs that have a width of their own: Burmese has up to five.
const MAX_MARKS_WITH_SPACING: usize = 6;

/// Like [`Text`], in one line and trimmed, each run of spaces of any width being one space. Names and titles must not look like others, so
/// a line has no invisible and no unassigned characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Line<const MAX: usize>(String);

impl<const MAX: usize> Text<MAX> {
    /// Parses a text that must not be blank. White space inside stays; line ends become `\n`.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse(field: &str, raw: &str) -> Result<Self, Violation> {
        Self::parse_or(field, raw, "This must not be empty.")
    }

    /// Like [`Self::parse`], with `blank` as the message for a blank text.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_or(field: &str, raw: &str, blank: &str) -> Result<Self, Violation> {
        let text = clean(field, raw, MAX, |c| c == '\n' || c == '\t')?;
        if is_blank(&text) { Err(Violation::new(field, blank)) } else { Ok(Self(text)) }
    }

    /// Parses an optional text. A blank text is an absent one.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_optional(field: &str, raw: Option<&str>) -> Result<Option<Self>, Violation> {
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(raw) => Self::parse(field, raw).map(Some),
        }
    }
}

impl<const MAX: usize> Line<MAX> {
    /// Parses a line of at least `min` characters after trimming; `short` is the message for fewer.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse(field: &str, raw: &str, min: usize, short: &str) -> Result<Self, Violation> {
        let line = Self::parse_lenient(field, raw, min, short)?;
        if hides_characters(&line) || piles_marks(&line) { Err(unusable(field)) } else { Ok(line) }
    }

    /// Like [`Self::parse`], for a line that is no name: a search must find texts, which may have joiners and other format characters.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_lenient(field: &str, raw: &str, min: usize, short: &str) -> Result<Self, Violation> {
        let text = clean(field, &one_line(field, raw, MAX)?, MAX, |_| false)?;
        if is_blank(&text) || text.chars().count() < min { Err(Violation::new(field, short)) } else { Ok(Self(text)) }
    }

    /// Parses a key of a client, which is compared and not read.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_key(field: &str, raw: &str) -> Result<Self, Violation> {
        let is_key = (1..=MAX).contains(&raw.len()) && raw.bytes().all(|byte| byte.is_ascii_graphic());
        let message = || format!("This must be 1 to {MAX} visible ASCII characters.");
        if is_key { Ok(Self(raw.to_owned())) } else { Err(Violation::new(field, message())) }
    }

    /// Like [`Self::parse`], for a line beside which a check mark has a meaning: it must not have one itself.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_without_check_marks(field: &str, raw: &str, min: usize, short: &str) -> Result<Self, Violation> {
        let line = Self::parse(field, raw, min, short)?;
        if line.chars().any(is_check_mark) { Err(unusable(field)) } else { Ok(line) }
    }

    /// Parses an optional line. A blank line is an absent one.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_optional(field: &str, raw: Option<&str>) -> Result<Option<Self>, Violation> {
        unless_blank(raw).map(|raw| Self::parse(field, raw, 1, "This must not be empty.")).transpose()
    }

    /// [`Self::parse_optional`] by the rules of [`Self::parse_lenient`].
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_optional_lenient(field: &str, raw: Option<&str>) -> Result<Option<Self>, Violation> {
        unless_blank(raw).map(|raw| Self::parse_lenient(field, raw, 1, "This must not be empty.")).transpose()
    }
}

fn unless_blank(raw: Option<&str>) -> Option<&str> {
    raw.filter(|raw| !trimmed(raw).is_empty())
}

/// Removes the white space of keyboards around a text. The separators U+2028 and U+2029 stay, and are refused.
fn trimmed(raw: &str) -> &str {
    raw.trim_matches(|c| matches!(c, '\t' | '\n' | '\r') || is_space(c))
}

/// Spaces of every width. Not tabs and line breaks, which are refused within a line.
fn is_space(c: char) -> bool {
    c.general_category() == GeneralCategory::SpaceSeparator
}

/// The words of a trimmed text with single spaces in between.
fn one_line(field: &str, raw: &str, max: usize) -> Result<String, Violation> {
    require_bytes(field, raw, max)?;
    let mut line = String::with_capacity(raw.len());
    for word in trimmed(raw).split(is_space).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    Ok(line)
}

/// Checks the bytes first, so that an attacker cannot make the service normalise a megabyte.
fn require_bytes(field: &str, raw: &str, max: usize) -> Result<(), Violation> {
    if raw.len() > max.saturating_mul(4).saturating_add(16) { Err(too_long(field, max)) } else { Ok(()) }
}

/// Normalises to NFC and refuses forbidden characters.
fn clean(field: &str, raw: &str, max: usize, allowed: fn(char) -> bool) -> Result<String, Violation> {
    require_bytes(field, raw, max)?;
    let unified = if raw.contains('\r') { raw.replace("\r\n", "\n").replace('\r', "\n") } else { raw.to_owned() };
    let text = match is_nfc_quick(unified.chars()) {
        unicode_normalization::IsNormalized::Yes => unified,
        _ => unified.nfc().collect(),
    };
    if text.chars().count() > max {
        return Err(too_long(field, max));
    }
    if text.chars().any(|c| forbidden(c) && !allowed(c)) {
        return Err(unusable(field));
    }
    Ok(text)
}

fn unusable(field: &str) -> Violation {
    Violation::new(field, "This contains characters that cannot be used.")
}

/// Control characters, noncharacters, and bidirectional embeddings, overrides and isolates (they make one name look
/// like another).
fn forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fdd0}'..='\u{fdef}')
        || (c as u32 & 0xfffe) == 0xfffe
}

/// Whether the text has no visible character. Joiners and selectors are part of names and emoji but invisible alone
/// (Unicode Default_Ignorable_Code_Point, and the Braille blank).
fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{2800}')
        || matches!(c, '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a line has a character that is not seen, that no version of Unicode assigns, or whose look is private.
/// Joiners, selectors and tags are part of an emoji, and of nothing else: elsewhere they make the name of one member
/// look like the name of another.
fn hides_characters(line: &str) -> bool {
    let mut rest = line;
    let mut before = Before::Other;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = FLAGS.iter().find_map(|flag| rest.strip_prefix(flag)) {
            rest = after;
            before = Before::Emoji;
            continue;
        }
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        before = match (before, c) {
            (Before::Emoji, SELECT_TEXT) => Before::Other,
            (Before::Emoji, SELECT_EMOJI) => Before::Selected,
            // A key without its frame is a digit, which a selector does not change.
            (Before::Key, SELECT_EMOJI) if after.starts_with(FRAME) => Before::Other,
            (Before::Emoji | Before::Selected, JOINER) if after.starts_with(is_pictograph) => Before::Other,
            _ if is_invisible(c) || is_unusual(c) => return true,
            _ if is_pictograph(c) => Before::Emoji,
            _ if c.is_emoji_char() => Before::Key,
            _ => Before::Other,
        };
        rest = after;
    }
    false
}

/// The character before another one in a line, as far as emoji are concerned.
#[derive(Clone, Copy)]
enum Before {
    Emoji,
    /// An emoji and a selector.
    Selected,
    /// A digit, `#` or `*`.
    Key,
    Other,
}

const JOINER: char = '\u{200d}';
const SELECT_TEXT: char = '\u{fe0e}';
const SELECT_EMOJI: char = '\u{fe0f}';
/// The frame of a key.
const FRAME: char = '\u{20e3}';
/// The flags of England, Scotland and Wales: a black flag and the tags of its name. Other tags are not seen.
const FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// An emoji that is no digit.
fn is_pictograph(c: char) -> bool {
    !c.is_ascii() && c.is_emoji_char()
}

fn is_unusual(c: char) -> bool {
    matches!(
        c.general_category(),
        GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::Surrogate
            | GeneralCategory::Unassigned
    )
}

/// Whether a letter has more marks than scripts use.
fn piles_marks(line: &str) -> bool {
    let (mut piled, mut all) = (0, 0);
    line.chars().any(|c| {
        (piled, all) = match c.general_category() {
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark => (piled + 1, all + 1),
            GeneralCategory::SpacingMark => (piled, all + 1),
            _ => (0, 0),
        };
        piled > MAX_MARKS || all > MAX_MARKS_WITH_SPACING
    })
}

/// Check marks, also in boxes and as emoji, and the square root, which looks like one.
fn is_check_mark(c: char) -> bool {
    matches!(c, '\u{221a}' | '\u{2611}' | '\u{2705}' | '\u{2713}' | '\u{2714}' | '\u{10102}')
        || matches!(c, '\u{1f5f8}' | '\u{1f5f9}' | '\u{1fbb1}')
}

fn too_long(field: &str, max: usize) -> Violation {
    Violation::new(field, format!("This must be at most {max} characters."))
}

macro_rules! as_str {
    ($name:ident) => {
        impl<const MAX: usize> $name<MAX> {
            /// The text.
            #[must_use]
            pub fn into_string(self) -> String {
                self.0
            }
        }
        impl<const MAX: usize> Deref for $name<MAX> {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }
        impl<const MAX: usize> fmt::Debug for $name<MAX> {
            /// Texts of members do not belong in logs.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({} bytes)", stringify!($name), self.0.len())
            }
        }
    };
}
as_str!(Text);
as_str!(Line);

#[cfg(test)]
mod tests;
