//! Texts of bounded length without characters that harm a database, a log or a browser.

use std::{fmt, ops::Deref};

use unicode_normalization::{UnicodeNormalization as _, is_nfc_quick};

use crate::error::Violation;

/// Text of 1 to `MAX` characters with line breaks, not blank, NFC, without control or direction-override characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Text<const MAX: usize>(String);

/// Like [`Text`], in one line and trimmed, without invisible characters: names and titles must not look like others.
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
        let text = clean(field, raw.trim(), MAX, |_| false)?;
        if is_blank(&text) || text.chars().count() < min {
            return Err(Violation::new(field, short));
        }
        if hides_characters(&text) {
            return Err(unusable(field));
        }
        Ok(Self(text))
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
        match raw.map(str::trim) {
            None | Some("") => Ok(None),
            Some(raw) => Self::parse(field, raw, 1, "This must not be empty.").map(Some),
        }
    }
}

/// Normalises to NFC and refuses forbidden characters.
fn clean(field: &str, raw: &str, max: usize, allowed: fn(char) -> bool) -> Result<String, Violation> {
    // Bytes first, so that an attacker cannot make the service normalise a megabyte.
    if raw.len() > max.saturating_mul(4).saturating_add(16) {
        return Err(too_long(field, max));
    }
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

/// Whether a line has an invisible character that changes nothing else: it would make the name of one member look like that of
/// another. Joiners and selectors after letters of other scripts and emoji are part of them; Latin, Greek and Cyrillic
/// letters need none.
fn hides_characters(line: &str) -> bool {
    let mut before = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if is_invisible(c) {
            let after = chars.peek().copied();
            let is_visible = |c: char| !is_invisible(c) && !c.is_whitespace();
            let follows = before.is_some_and(|before: char| {
                (before > '\u{52f}' && is_visible(before)) || (before == '\u{fe0f}' && c == '\u{200d}')
            });
            let is_part = match c {
                '\u{200c}' | '\u{200d}' => follows && after.is_some_and(is_visible),
                '\u{fe0e}' => follows,
                // The emoji of a key: a digit, the selector, and the frame.
                '\u{fe0f}' => follows || after == Some('\u{20e3}'),
                _ => false,
            };
            if !is_part {
                return true;
            }
        }
        before = Some(c);
    }
    false
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
mod tests {
    use super::*;

    #[test]
    fn length_counts_characters_not_bytes() {
        assert!(Text::<3>::parse("t", "ñññ").is_ok());
        assert!(Text::<3>::parse("t", "ññññ").is_err());
        assert_eq!(Text::<1>::parse("t", "e\u{301}").map(Text::into_string), Ok("é".to_owned()));
    }

    #[test]
    fn blank_is_empty() {
        for blank in ["", " ", "\n\t ", "\u{3000}"] {
            assert!(Text::<9>::parse("t", blank).is_err(), "{blank:?}");
            assert_eq!(Line::<9>::parse_optional("t", Some(blank)), Ok(None), "{blank:?}");
        }
    }

    #[test]
    fn an_invisible_text_is_blank_and_invisible_characters_may_join_visible_ones() {
        for blank in ["\u{200b}\u{200b}", "\u{2060}\u{ad}", "\u{3164}\u{3164}", "\u{200d}\u{fe0f}", "\u{2800} \u{2800}"]
        {
            assert!(Text::<9>::parse("t", blank).is_err(), "{blank:?}");
            assert!(Line::<9>::parse("t", blank, 2, "").is_err(), "{blank:?}");
        }
        for seen in ["\u{1f469}\u{200d}\u{2696}\u{fe0f}", "a\u{200c}b", "\u{200f}\u{5e9}\u{5dc}"] {
            assert_eq!(Text::<9>::parse("t", seen).map(Text::into_string), Ok(seen.to_owned()));
        }
    }

    #[test]
    fn a_line_has_no_invisible_characters() {
        for bad in [
            "An\u{200b}a",
            "\u{200e}Ana",
            "Ana\u{200f}",
            "An\u{200d}a",
            "Ana\u{fe0f}",
            "An\u{ad}a",
            "Ana\u{2060}",
            "\u{61c}Ana",
            "Ana\u{e0041}",
            "\u{200d}Ana",
            "Ана\u{200c}",
            "👩\u{200d}\u{200d}👩",
            "👩\u{200d}",
            "Ana \u{2800}",
        ] {
            assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
        }
        for seen in [
            "\u{1f469}\u{200d}\u{2696}\u{fe0f} Ana",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "1\u{fe0f}\u{20e3} Ana",
            "Ana Peña",
        ] {
            assert_eq!(Line::<99>::parse("t", seen, 1, "").map(Line::into_string), Ok(seen.to_owned()));
        }
    }

    #[test]
    fn a_line_without_check_marks_has_none() {
        let parse = |raw: &str| Line::<99>::parse_without_check_marks("n", raw, 2, "");
        for bad in ["Ana Reyes ✓", "✔\u{fe0f} Ana", "Ana ✅", "Ana ☑", "√ Ana", "Ana \u{10102}", "Ana \u{1f5f8}"]
        {
            assert_eq!(parse(bad), Err(unusable("n")), "{bad:?}");
        }
        assert!(parse("A").is_err());
        assert!(parse("Ana Reyes ⚖").is_ok());
    }

    #[test]
    fn forbidden_characters_are_refused_at_every_position() {
        for bad in ["\0a", "a\0b", "a\0", "a\u{1b}[31m", "\u{202e}gpj.exe", "a\u{2066}b", "\u{ffff}", "\u{7f}"] {
            assert!(Text::<99>::parse("t", bad).is_err(), "{bad:?}");
            assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_text_keeps_its_line_breaks_and_a_line_has_none() {
        assert_eq!(Text::<99>::parse("t", "a\r\nb\rc").map(Text::into_string), Ok("a\nb\nc".to_owned()));
        assert!(Line::<99>::parse("t", "a\nb", 1, "").is_err());
        assert_eq!(Line::<99>::parse("t", "  a  ", 1, "").map(Line::into_string), Ok("a".to_owned()));
    }

    #[test]
    fn a_megabyte_is_refused() {
        assert!(Text::<5000>::parse("t", &"a".repeat(1 << 20)).is_err());
    }

    #[test]
    fn debug_does_not_contain_the_text() {
        let text = Text::<99>::parse("t", "between you and me").unwrap();
        assert_eq!(format!("{text:?}"), "Text(18 bytes)");
    }
}
