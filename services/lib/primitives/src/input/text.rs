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

    /// Like [`Self::parse`], for a key of a client, which is compared and not read: a key that would become another one
    /// is refused.
    ///
    /// # Errors
    /// A violation of `field`.
    pub fn parse_key(field: &str, raw: &str) -> Result<Self, Violation> {
        let key = Self::parse(field, raw, 1, "This must not be empty.")?;
        if *key == *raw.trim() { Ok(key) } else { Err(unusable(field)) }
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

/// Whether a letter has more marks than scripts use. Vowel signs with a width of their own (Burmese has several) do not pile up.
fn piles_marks(line: &str) -> bool {
    let mut marks = 0;
    line.chars().any(|c| {
        marks = match c.general_category() {
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark => marks + 1,
            GeneralCategory::SpacingMark => marks,
            _ => 0,
        };
        marks > MAX_MARKS
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
            "\u{1f469}\u{1f3fd}\u{200d}\u{2696}\u{fe0f} Ana",
            "\u{1f469}\u{200d}\u{2764}\u{fe0f}\u{200d}\u{1f48b}\u{200d}\u{1f468}",
            "Ana \u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "Ana \u{2696}\u{fe0f} Reyes",
            "Ana \u{2696}\u{fe0e} Reyes",
            "1\u{fe0f}\u{20e3} Ana",
            "#\u{fe0f}\u{20e3} Ana",
            "Ana \u{1f1f5}\u{1f1ed}",
            "Ana \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "Ana Peña",
            "Nguyễn Thị Ánh",
            "Ọlábísí Ẹ̀kọ́",
            "मुंशी प्रेमचंद",
            "นางสาว น้ำฝน",
            "ကျော် ကြို့",
            "שָׁלוֹם",
            "مُحَمَّد",
            "தமிழ்",
            "ʻOkina O’Brien",
            "Jean‐Luc",
            "李小明",
            "김민준",
        ] {
            assert_eq!(Line::<99>::parse("t", seen, 1, "").map(Line::into_string), Ok(seen.nfc().collect()), "{seen}");
        }
    }

    #[test]
    fn a_line_has_no_character_that_is_not_seen_or_not_assigned() {
        for hidden in [
            // Zl, Zp.
            '\u{2028}',
            '\u{2029}',
            // Cf, including characters that a script uses.
            '\u{ad}',
            '\u{600}',
            '\u{605}',
            '\u{61c}',
            '\u{6dd}',
            '\u{70f}',
            '\u{890}',
            '\u{8e2}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2064}',
            '\u{2066}',
            '\u{206f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{fffb}',
            '\u{110bd}',
            '\u{110cd}',
            '\u{13430}',
            '\u{1bca0}',
            '\u{1d173}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            // Selectors, fillers and blanks.
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{180b}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0e}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{e0100}',
            // Co.
            '\u{e000}',
            '\u{f8ff}',
            '\u{f0000}',
            '\u{10fffd}',
            // Cn.
            '\u{378}',
            '\u{2fe0}',
            '\u{fdd0}',
            '\u{fffe}',
            '\u{1ffff}',
            '\u{50000}',
            '\u{e0fff}',
            // Cc.
            '\0',
            '\u{b}',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{9f}',
        ] {
            for line in [
                format!("{hidden}Ana"),
                format!("An{hidden}a"),
                format!("Ana{hidden}"),
                format!("Ana {hidden} Reyes"),
                format!("مح{hidden}مد"),
                format!("क्{hidden}ष"),
            ] {
                assert_eq!(Line::<99>::parse("t", &line, 1, ""), Err(unusable("t")), "{line:?}");
            }
            assert!(Line::<99>::parse_optional("t", Some(&hidden.to_string())).is_err(), "{hidden:?} is not blank");
        }
    }

    #[test]
    fn joiners_and_tags_outside_of_emoji_are_refused() {
        for bad in [
            "1\u{fe0f} Ana",
            "1\u{200d}2",
            "\u{1f469}\u{200d}1",
            "\u{1f469}\u{200d}a",
            "a\u{200d}\u{1f469}",
            "\u{1f469}\u{fe0f}\u{fe0f}",
            "\u{1f469}\u{200c}\u{1f469}",
            "\u{1f469}\u{200d} \u{1f469}",
            "\u{1f469}\u{fe01}",
            // A black flag and a name that no flag has.
            "\u{1f3f4}\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}",
            "\u{1f600}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        ] {
            assert_eq!(Line::<99>::parse("t", bad, 1, ""), Err(unusable("t")), "{bad:?}");
        }
    }

    #[test]
    fn every_space_of_a_line_is_one_space() {
        for space in [
            "\u{a0}", "\u{1680}", "\u{2000}", "\u{2003}", "\u{2009}", "\u{200a}", "\u{202f}", "\u{205f}", "\u{3000}",
            "  ", " \u{a0} ",
        ] {
            for line in [format!("Ana{space}Reyes"), format!("{space}Ana{space}{space}Reyes{space}")] {
                assert_eq!(
                    Line::<99>::parse("t", &line, 1, "").map(Line::into_string),
                    Ok("Ana Reyes".to_owned()),
                    "{line:?}"
                );
            }
            assert_eq!(Line::<99>::parse_optional("t", Some(space)), Ok(None), "{space:?}");
            assert!(Line::<99>::parse("t", space, 1, "").is_err(), "{space:?}");
        }
        let spaced = format!("A{}na", " ".repeat(20));
        assert_eq!(
            Line::<4>::parse("t", &spaced, 1, "").map(Line::into_string),
            Ok("A na".to_owned()),
            "counted after"
        );
    }

    #[test]
    fn a_key_is_not_changed() {
        assert_eq!(Line::<9>::parse_key("k", "a-1").map(Line::into_string), Ok("a-1".to_owned()));
        for bad in ["", "two\nlines", "a\tb", "a  b", "a\u{a0}b", "e\u{301}", "a\0"] {
            assert!(Line::<9>::parse_key("k", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_letter_has_at_most_three_marks() {
        for mark in
            ["\u{301}", "\u{336}", "\u{489}", "\u{20dd}", "\u{e49}", "\u{5b4}", "\u{1ab0}", "\u{fe20}", "\u{94d}"]
        {
            // Some letters and marks are one character.
            let line = |count: usize| format!("x{}na", mark.repeat(count));
            assert!(Line::<99>::parse("t", &line(3), 1, "").is_ok(), "{mark:?}");
            for count in [4, 5, 60] {
                assert_eq!(Line::<99>::parse("t", &line(count), 1, ""), Err(unusable("t")), "{count} {mark:?}");
            }
        }
        let mixed = "Z\u{336}\u{315}\u{489}\u{362}algo";
        assert!(Line::<99>::parse("t", mixed, 1, "").is_err());
        assert!(Line::<99>::parse("t", "Ana \u{301}\u{301}\u{301}\u{301}", 1, "").is_err(), "on a space");
    }

    #[test]
    fn a_lenient_line_keeps_what_texts_have() {
        for seen in ["می\u{200c}خواهم", "क्\u{200d}ष", "co\u{ad}op", "x\u{301}\u{301}\u{301}\u{301}"] {
            let parsed = Line::<99>::parse_lenient("t", &format!("  {seen}\t\n"), 1, "");
            assert_eq!(parsed.map(Line::into_string), Ok(seen.to_owned()));
        }
        for bad in ["\0a", "a\u{202e}b", "\u{200b}", "\u{ffff}"] {
            assert!(Line::<99>::parse_lenient("t", bad, 1, "").is_err(), "{bad:?}");
        }
        assert_eq!(Line::<99>::parse_optional_lenient("t", Some("\u{3000}\n")), Ok(None));
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
        for bad in ["a\nb", "a\r\nb", "a\tb"] {
            assert!(Line::<99>::parse("t", bad, 1, "").is_err(), "{bad:?}");
        }
        assert_eq!(Line::<99>::parse("t", " \n a\t ", 1, "").map(Line::into_string), Ok("a".to_owned()));
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
