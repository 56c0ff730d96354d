//! The search request of a caller and its cursor.

use std::collections::HashSet;

use primitives::{
    error::Violation,
    input::{Cursor, Form, InvalidRequest, Line, PageSize},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::tokenization::tokenize_query;

/// Further words are ignored: they cost time and hardly narrow the result.
const MAX_WORDS: usize = 8;
/// The longest window; also the longest page.
const MAX_WINDOW: usize = 100;

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

/// A page of a window: a number of results that are ordered together, because equal matches have an order of their own.
#[derive(Clone, Debug)]
pub struct WindowQuery {
    /// The query for the window.
    pub query: SearchQuery,
    /// The rows of the page.
    pub(crate) rows: usize,
    /// The rows of the window before the page.
    pub(crate) skip: usize,
}

/// The position of a page: the start of its window, the length of the window, and the rows before the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowCursor {
    #[serde(rename = "f")]
    pub(crate) after: Option<SearchCursor>,
    #[serde(rename = "w")]
    pub(crate) window: u8,
    #[serde(rename = "s")]
    pub(crate) skip: u8,
}

impl Cursor for WindowCursor {}

impl WindowQuery {
    /// Parses the query, page size and page token of a request. A window is as many whole pages as fit into `most` rows, at
    /// least one; later windows have the length of the first.
    ///
    /// # Errors
    /// Violations of `query`, `pageSize` and `pageToken`.
    pub fn parse(query: &str, page_size: i32, page_token: &str, most: usize) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let parsed = SearchQuery::parse(query, page_size, "");
        let at = form.take(WindowCursor::from_token(page_token).and_then(within_bounds));
        let query = match parsed {
            Ok(query) => Some(query),
            Err(InvalidRequest(violations)) => {
                violations.into_iter().for_each(|violation| form.refuse(violation));
                None
            }
        };
        let (mut query, at) = form.finish(query.zip(at))?;
        let rows = query.size.rows();
        let window = at.map_or_else(|| rows * (most / rows).max(1), |at| usize::from(at.window));
        query.size = PageSize::parse(i32::try_from(window).unwrap_or(1))?;
        query.after = at.and_then(|at| at.after);
        Ok(Self { query, rows, skip: at.map_or(0, |at| usize::from(at.skip)) })
    }
}

/// The token is input of the client.
fn within_bounds(at: Option<WindowCursor>) -> Result<Option<WindowCursor>, Violation> {
    match at {
        Some(at) if at.window == 0 || usize::from(at.window) > MAX_WINDOW || at.skip >= at.window => {
            Err(Violation::new("pageToken", "This page does not exist. Start again from the first one."))
        }
        at => Ok(at),
    }
}

impl SearchQuery {
    /// Parses the query, page size and page token of a request.
    ///
    /// # Errors
    /// Violations of `query`, `pageSize` and `pageToken`.
    pub fn parse(query: &str, page_size: i32, page_token: &str) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let query = form.take(Line::<200>::parse_lenient("query", query, 1, "This must not be empty."));
        let size = form.take(PageSize::parse(page_size));
        let after = form.take(SearchCursor::from_token(page_token));
        let parsed = (|| {
            let mut seen = HashSet::new();
            let words = tokenize_query(&query?).into_iter().filter(|word| seen.insert(word.clone())).take(MAX_WORDS);
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
    fn a_window_is_whole_pages_and_its_token_is_bounded() {
        for (rows, window) in [(20, 40), (3, 39), (5, 40), (40, 40), (41, 41), (100, 100), (0, 40)] {
            let parsed = WindowQuery::parse("law", rows, "", 40).unwrap();
            assert_eq!((parsed.query.size.rows(), parsed.skip), (window, 0), "{rows}");
        }
        let token = |window, skip| WindowCursor { after: None, window, skip }.to_token();
        let later = WindowQuery::parse("law", 20, &token(80, 60), 40).unwrap();
        assert_eq!((later.query.size.rows(), later.rows, later.skip), (80, 20, 60));
        for bad in [token(0, 0), token(101, 0), token(80, 80), "x".to_owned()] {
            let refused = WindowQuery::parse("law", 20, &bad, 40).unwrap_err();
            assert_eq!(refused.0[0].field, "pageToken", "{bad}");
        }
        let fields: Vec<String> =
            WindowQuery::parse(" ", -1, "x", 40).unwrap_err().0.into_iter().map(|v| v.field).collect();
        assert_eq!(fields, ["pageToken", "query", "pageSize"]);
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
