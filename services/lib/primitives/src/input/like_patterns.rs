//! The words of a literal search: each must occur, and no character is a wildcard.

use crate::error::Violation;

use super::Line;

/// The longest search taken, in characters.
const MAX: usize = 200;
/// LikePatterns beyond this many narrow nothing down any more, but cost.
const MAX_WORDS: usize = 12;

/// What somebody looks for, as patterns for SQL's `ilike`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikePatterns {
    /// The longest word: the one an index narrows down by.
    pub rarest: String,
    /// All of them, for `ilike all (..)`.
    pub all: Vec<String>,
}

impl LikePatterns {
    /// Reads a search; a blank one is none.
    ///
    /// # Errors
    /// A violation of `field` for what is too long, has too many words or cannot be text.
    pub fn parse_optional(field: &str, raw: &str) -> Result<Option<Self>, Violation> {
        let Some(line) = Line::<MAX>::parse_optional(field, Some(raw))? else {
            return Ok(None);
        };
        let all: Vec<String> = line.split_whitespace().map(pattern).collect();
        if all.len() > MAX_WORDS {
            return Err(Violation::new(field, format!("This must be at most {MAX_WORDS} words.")));
        }
        let rarest = all.iter().max_by_key(|word| word.len()).cloned();
        Ok(rarest.map(|rarest| Self { rarest, all }))
    }
}

/// `word` anywhere, with `%`, `_` and the escape itself standing for themselves.
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
    fn every_word_becomes_a_pattern_of_itself() {
        let words = LikePatterns::parse_optional("search", "  100%  clerk_ship \\ ").unwrap().unwrap();
        assert_eq!(words.all, [r"%100\%%", r"%clerk\_ship%", r"%\\%"]);
        assert_eq!(words.rarest, r"%clerk\_ship%");
    }

    #[test]
    fn a_blank_search_is_none() {
        for blank in ["", "   ", "\t"] {
            assert_eq!(LikePatterns::parse_optional("search", blank), Ok(None), "{blank:?}");
        }
    }

    #[test]
    fn what_no_text_can_hold_and_what_is_too_much_is_refused() {
        for bad in ["a\0b", "\u{202e}law", &"a".repeat(1 << 20), &"a ".repeat(50)] {
            let refused = LikePatterns::parse_optional("search", bad).unwrap_err();
            assert_eq!(refused.field, "search", "{bad:.20?}");
        }
    }
}
