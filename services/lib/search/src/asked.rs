//! What somebody looks for, acceptable in every part.

use std::collections::HashSet;

use primitives::input::{Cursor, Form, InvalidRequest, Line, PageSize};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::words::words;

/// Words beyond this many narrow nothing down any more, but cost.
const MAX_WORDS: usize = 8;

/// A search.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Each once. None, when what was asked for has no letter and no digit: then nothing is found.
    pub(crate) words: Vec<String>,
    pub(crate) size: PageSize,
    pub(crate) after: Option<Spot>,
}

/// Where in the order of what is found something stands: the better rank first, then the newer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spot {
    #[serde(rename = "r")]
    pub(crate) rank: u8,
    #[serde(rename = "a")]
    pub(crate) at: i32,
    #[serde(rename = "i")]
    pub(crate) id: Uuid,
}

impl Cursor for Spot {}

impl Spot {
    /// Whether it comes after another one.
    pub(crate) fn is_after(self, other: Self) -> bool {
        (self.rank, other.at, other.id) > (other.rank, self.at, self.id)
    }
}

impl Asked {
    /// Reads a request's query, page size and page token.
    ///
    /// # Errors
    /// Violations of `query`, `pageSize` and `pageToken`.
    pub fn parse(query: &str, page_size: i32, page_token: &str) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let query = form.take(Line::<200>::parse("query", query, 1, "This must not be empty."));
        let size = form.take(PageSize::parse(page_size));
        let after = form.take(Spot::from_token(page_token));
        let taken = (|| {
            let mut seen = HashSet::new();
            let words = words(&query?).into_iter().filter(|word| seen.insert(word.clone())).take(MAX_WORDS);
            Some(Self { words: words.collect(), size: size?, after: after? })
        })();
        form.finish(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_at_fault_is_named() {
        let refused = Asked::parse(" ", -1, "x").unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["query", "pageSize", "pageToken"]);
        for bad in ["\0", "a\u{202e}b", &"a".repeat(201), &"a".repeat(1 << 20)] {
            assert!(Asked::parse(bad, 0, "").is_err(), "{bad:.9}");
        }
    }

    #[test]
    fn words_are_asked_for_once_and_are_not_too_many() {
        assert_eq!(Asked::parse("Law, LAW & láw school", 0, "").unwrap().words, ["law", "school"]);
        assert_eq!(Asked::parse("a b c d e f g h i j k l", 0, "").unwrap().words.len(), MAX_WORDS);
        assert!(Asked::parse("?!", 0, "").unwrap().words.is_empty());
    }

    #[test]
    fn the_better_rank_comes_first_then_the_newer() {
        let spot = |rank, at, id| Spot { rank, at, id: Uuid::from_u128(id) };
        let order = [spot(0, 1, 5), spot(1, 9, 9), spot(1, 9, 8), spot(1, 7, 9), spot(2, 8, 1)];
        for (n, one) in order.iter().enumerate() {
            for (m, other) in order.iter().enumerate() {
                assert_eq!(one.is_after(*other), n > m, "{n} {m}");
            }
        }
    }
}
