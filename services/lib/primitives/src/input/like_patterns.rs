//! The words of a literal search as `ilike` patterns: each word must occur, and no character is a wildcard.
//!
//! Programs set the same sign in several ways: an apostrophe or a dash of a search means all of its kind. In the pattern it is a
//! wildcard, which a trigram index serves, and a regular expression then excludes every other character. Punctuation around a
//! word is ignored.

use std::iter::once;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::error::Violation;

use super::Line;

/// The maximum length of a search, in characters.
const MAX: usize = 200;
/// More words cost time and do not narrow the result.
const MAX_WORDS: usize = 12;

/// Apostrophes and the signs that replace them, as the members of a bracket expression.
const APOSTROPHES: &str = "'\u{2018}\u{2019}\u{201b}\u{2bb}\u{2bc}\u{2032}\u{ff07}`\u{b4}";
/// Hyphens, dashes and the minus sign. The first one is literal as the first member of a bracket expression.
const DASHES: &str = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe58}\u{fe63}\u{ff0d}";
/// Quotes that Unicode does not call initial or final.
const QUOTES: &str = "\"\u{201a}\u{201e}\u{2033}\u{ff02}\u{300c}\u{300d}\u{300e}\u{300f}\u{301d}\u{301e}\u{301f}\u{ff62}\u{ff63}\u{275b}\u{275c}\u{275d}\u{275e}";
const COMMAS: &str = ",;\u{60c}\u{61b}\u{3001}\u{ff0c}\u{ff1b}";
/// Signs of mathematics that serve as brackets.
const ANGLES: &str = "<>\u{226a}\u{226b}";
/// Signs that Unicode calls punctuation although they say something: `C#`, `5%`, `AT&T`, `§ 230`.
const SIGNS: &str = "#%&*/@\\§¶‰‱";

/// The patterns of a search. A text matches by `text ilike all (all) and text ~* all (exact)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikePatterns {
    /// One pattern per word.
    pub all: Vec<String>,
    /// Regular expressions of the words with an apostrophe or a dash, whose pattern admits too much.
    pub exact: Vec<String>,
}

impl LikePatterns {
    /// Parses a search. A text without words is an absent one.
    ///
    /// # Errors
    /// A violation of `field` for a text that is too long, has too many words or contains forbidden characters.
    pub fn parse_optional(field: &str, raw: &str) -> Result<Option<Self>, Violation> {
        let Some(line) = Line::<MAX>::parse_optional_lenient(field, Some(raw))? else {
            return Ok(None);
        };
        let words: Vec<&str> = words(&line).collect();
        if words.len() > MAX_WORDS {
            return Err(Violation::new(field, format!("This must be at most {MAX_WORDS} words.")));
        }
        let exact = words.iter().filter(|word| word.contains(is_variable)).map(|word| expression(word));
        let patterns = Self { all: words.iter().map(|word| pattern(word)).collect(), exact: exact.collect() };
        Ok((!words.is_empty()).then_some(patterns))
    }
}

/// The words of a text, without the punctuation around them. A comma between two digits belongs to a number.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let separates = |(at, c): (usize, char)| {
        let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
        let (before, after) = (line.get(..at).unwrap_or_default(), line.get(at + c.len_utf8()..).unwrap_or_default());
        let in_number = digit(before.chars().next_back()) && digit(after.chars().next());
        c.is_whitespace() || is_quote(c) || (COMMAS.contains(c) && !in_number)
    };
    let ends = line.char_indices().filter(move |each| separates(*each)).map(|(at, c)| (at, at + c.len_utf8()));
    let mut start = 0;
    let pieces = ends.chain([(line.len(), line.len())]).map(move |(end, next)| {
        let piece = line.get(start..end).unwrap_or_default();
        start = next;
        piece
    });
    pieces.map(trim).filter(|word| !word.is_empty())
}

/// Removes the punctuation around a word. A stop before it is part of it: `.NET`.
fn trim(piece: &str) -> &str {
    let word = piece.trim_end_matches(|c| is_around(c) || c == '.').trim_start_matches(is_around);
    if word.starts_with("..") { trim(word.trim_start_matches('.')) } else { word }
}

/// Whether the sign, other than a stop, is ignored at the ends of a word.
fn is_around(c: char) -> bool {
    use GeneralCategory::{ClosePunctuation, FinalPunctuation, InitialPunctuation, OpenPunctuation, OtherPunctuation};
    // Wide and small forms mean the same sign.
    let is_of = |signs: &str| once(c).nfkc().all(|plain| signs.contains(plain));
    match c.general_category() {
        OpenPunctuation | ClosePunctuation | InitialPunctuation | FinalPunctuation => true,
        OtherPunctuation => c != '.' && !is_of(SIGNS),
        _ => is_variable(c) || is_quote(c) || is_of(ANGLES),
    }
}

/// Whether the sign is a quote wherever it stands.
fn is_quote(c: char) -> bool {
    use GeneralCategory::{FinalPunctuation, InitialPunctuation};
    let is_paired = matches!(c.general_category(), InitialPunctuation | FinalPunctuation);
    QUOTES.contains(c) || (is_paired && !is_variable(c))
}

/// Whether programs set the sign in several ways.
fn is_variable(c: char) -> bool {
    APOSTROPHES.contains(c) || DASHES.contains(c)
}

/// Matches `word` anywhere; `%`, `_` and the escape character are literal.
fn pattern(word: &str) -> String {
    let mut pattern = String::with_capacity(word.len() + 2);
    pattern.push('%');
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(if is_variable(c) { '_' } else { c });
    }
    pattern.push('%');
    pattern
}

/// Matches `word` anywhere, with any apostrophe and any dash in their places.
fn expression(word: &str) -> String {
    let mut expression = String::with_capacity(word.len() * 2);
    for c in word.chars() {
        if is_variable(c) {
            let kind = if APOSTROPHES.contains(c) { APOSTROPHES } else { DASHES };
            expression.push('[');
            expression.push_str(kind);
            expression.push(']');
            continue;
        }
        if c.is_ascii_punctuation() {
            expression.push('\\');
        }
        expression.push(c);
    }
    expression
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(search: &str) -> LikePatterns {
        LikePatterns::parse_optional("search", search).unwrap().unwrap()
    }

    #[test]
    fn every_word_becomes_a_literal_pattern() {
        assert_eq!(parse("  100%  clerk_ship \\ ").all, [r"%100\%%", r"%clerk\_ship%", r"%\\%"]);
        for literal in [
            "c++",
            "c#",
            "§",
            "§230",
            "¶4",
            "a<b",
            "at&t",
            "&",
            "$1,250,000",
            "401(k",
            "3.5",
            ".net",
            "@up.edu",
            "a/b",
            "+63",
            "#law",
            "5*",
            "\u{ff03}law",
            "\u{2030}",
        ] {
            assert_eq!(parse(literal), LikePatterns { all: vec![format!("%{literal}%")], exact: vec![] });
        }
    }

    #[test]
    fn punctuation_around_words_is_ignored() {
        let plain = parse("staff attorney");
        for search in [
            "\"Staff Attorney\"",
            "\u{201c}staff attorney\u{201d}",
            "staff, attorney",
            "staff,attorney",
            "staff; attorney.",
            "(staff) [attorney]",
            "'staff' \u{2018}attorney\u{2019}",
            "\u{ab}staff\u{bb} - attorney!",
            "staff \u{2014} attorney?",
            "staff\"attorney\"",
            "\u{2026}staff: attorney...",
            "\u{300c}staff\u{300d}\u{ff0c}attorney",
            "\u{201a}staff\u{2018} \u{201a}attorney\u{2019}",
            "\u{201a}staff\u{2018}\u{201a}attorney\u{2018}",
            "<staff> <<attorney>>",
            "\u{ff1c}staff\u{ff1e} \u{226a}attorney\u{226b}",
            "\u{27e8}staff\u{27e9} \u{2329}attorney\u{232a}",
            "\u{276e}staff\u{276f} \u{275d}attorney\u{275e}",
            "\u{fe43}staff\u{fe44} \u{2e42}attorney\u{201f}",
            "\u{3014}staff\u{3015} \u{2772}attorney\u{2773}",
            "\u{2e02}staff\u{2e03} \u{2045}attorney\u{2046}",
            "staff\u{60c} attorney\u{61f}",
            "\u{2022} staff \u{203d} attorney\u{964}",
        ] {
            assert_eq!(parse(&search.to_lowercase()), plain, "{search}");
        }
        assert_eq!(parse("\"v. Jones\"").all, ["%v%", "%Jones%"]);
        assert_eq!(parse("...and").all, ["%and%"]);
    }

    #[test]
    fn apostrophes_and_dashes_are_equal() {
        let expected = parse("prosecutor's can-do o'brien-s");
        assert_eq!(expected.all, ["%prosecutor_s%", "%can_do%", "%o_brien_s%"]);
        assert_eq!(expected.exact.len(), 3);
        for (apostrophe, dash) in APOSTROPHES.chars().zip(DASHES.chars().cycle()).chain([('\'', '\u{ff0d}')]) {
            let search = format!("prosecutor{apostrophe}s can{dash}do o{apostrophe}brien{dash}s");
            assert_eq!(parse(&search), expected, "{search}");
        }
        assert_eq!(parse("a.b-c").exact, [format!(r"a\.b[{DASHES}]c")]);
    }

    #[test]
    fn a_search_without_words_is_absent() {
        for blank in ["", "   ", "\t", "\"", ",", " \u{2013} ", "\"\"", "...", "()", "?!"] {
            assert_eq!(LikePatterns::parse_optional("search", blank), Ok(None), "{blank:?}");
        }
    }

    #[test]
    fn forbidden_characters_and_long_searches_are_refused() {
        for bad in ["a\0b", "\u{202e}law", &"a".repeat(1 << 20), &"a ".repeat(50)] {
            let refused = LikePatterns::parse_optional("search", bad).unwrap_err();
            assert_eq!(refused.field, "search", "{bad:.20?}");
        }
    }
}
