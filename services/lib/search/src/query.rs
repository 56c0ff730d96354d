//! The search request of a caller and its cursor.

use std::collections::HashSet;

use primitives::input::{Cursor, Form, InvalidRequest, Line, PageSize};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::tokenization::tokenize;

/// Further words are ignored: they cost time and hardly narrow the result.
const MAX_WORDS: usize = 8;

/// A validated search request.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// Distinct words. Empty for a text without letters and digits, which matches nothing.
    pub(crate) words: Vec<String>,
    pub(crate) size: PageSize,
    pub(crate) after: Option<SearchCursor>,
}

/// A position in the results: by rank, then newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SearchCursor {
    #[serde(rename = "r")]
    pub(crate) rank: u8,
    #[serde(rename = "a")]
    pub(crate) at: i32,
    #[serde(rename = "i")]
    pub(crate) id: Uuid,
}

impl Cursor for SearchCursor {}

impl SearchCursor {
    pub(crate) fn is_after(self, other: Self) -> bool {
        (self.rank, other.at, other.id) > (other.rank, self.at, self.id)
    }
}

impl SearchQuery {
    /// Parses the query, page size and page token of a request.
    ///
    /// # Errors
    /// Violations of `query`, `pageSize` and `pageToken`.
    pub fn parse(query: &str, page_size: i32, page_token: &str) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let query = form.take(Line::<200>::parse("query", query, 1, "This must not be empty."));
        let size = form.take(PageSize::parse(page_size));
        let after = form.take(SearchCursor::from_token(page_token));
        let parsed = (|| {
            let mut seen = HashSet::new();
            let words = tokenize(&query?).into_iter().filter(|word| seen.insert(word.clone())).take(MAX_WORDS);
            Some(Self { words: words.collect(), size: size?, after: after? })
        })();
        form.finish(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_invalid_field_is_reported() {
        let refused = SearchQuery::parse(" ", -1, "x").unwrap_err();
        let fields: Vec<&str> = refused.0.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["query", "pageSize", "pageToken"]);
        for bad in ["\0", "a\u{202e}b", &"a".repeat(201), &"a".repeat(1 << 20)] {
            assert!(SearchQuery::parse(bad, 0, "").is_err(), "{bad:.9}");
        }
    }

    #[test]
    fn words_are_distinct_and_limited_in_number() {
        assert_eq!(SearchQuery::parse("Law, LAW & láw school", 0, "").unwrap().words, ["law", "school"]);
        assert_eq!(SearchQuery::parse("a b c d e f g h i j k l", 0, "").unwrap().words.len(), MAX_WORDS);
        assert!(SearchQuery::parse("?!", 0, "").unwrap().words.is_empty());
    }

    #[test]
    fn cursors_order_by_rank_then_newest_first() {
        let cursor = |rank, at, id| SearchCursor { rank, at, id: Uuid::from_u128(id) };
        let order = [cursor(0, 1, 5), cursor(1, 9, 9), cursor(1, 9, 8), cursor(1, 7, 9), cursor(2, 8, 1)];
        for (n, one) in order.iter().enumerate() {
            for (m, other) in order.iter().enumerate() {
                assert_eq!(one.is_after(*other), n > m, "{n} {m}");
            }
        }
    }
}
