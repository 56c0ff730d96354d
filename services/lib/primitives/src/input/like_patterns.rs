//! The words of a literal search as `ilike` patterns: each word must occur, and no character is a wildcard.

use crate::error::Violation;

use super::Line;

/// The maximum length of a search, in characters.
const MAX: usize = 200;
/// More words cost time and do not narrow the result.
const MAX_WORDS: usize = 12;

/// The patterns of a search, for `ilike all (..)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikePatterns {
    /// One pattern per word.
    pub all: Vec<String>,
}

impl LikePatterns {
    /// Parses a search. A blank text is an absent one.
    ///
    /// # Errors
    /// A violation of `field` for a text that is too long, has too many words or contains forbidden characters.
    pub fn parse_optional(field: &str, raw: &str) -> Result<Option<Self>, Violation> {
        let Some(line) = Line::<MAX>::parse_optional_lenient(field, Some(raw))? else {
            return Ok(None);
        };
        let all: Vec<String> = line.split_whitespace().map(pattern).collect();
        if all.len() > MAX_WORDS {
            return Err(Violation::new(field, format!("This must be at most {MAX_WORDS} words.")));
        }
        Ok((!all.is_empty()).then_some(Self { all }))
    }
}

/// Matches `word` anywhere; `%`, `_` and the escape character are literal.
fn pattern(word: &str) -> String {
    let mut pattern = String::with_capacity(word.len() + 2);
    pattern.push('%');
    for c in word.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_becomes_a_literal_pattern() {
        let words = LikePatterns::parse_optional("search", "  100%  clerk_ship \\ ").unwrap().unwrap();
        assert_eq!(words.all, [r"%100\%%", r"%clerk\_ship%", r"%\\%"]);
    }

    #[test]
    fn a_blank_search_is_absent() {
        for blank in ["", "   ", "\t"] {
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
