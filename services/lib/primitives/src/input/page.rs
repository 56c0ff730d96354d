//! Pagination: the page size, and the cursor after the last row of a page.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Serialize, de::DeserializeOwned};

use crate::error::Violation;

/// The maximum length of a page token. Valid ones are far shorter.
const MAX_TOKEN: usize = 512;

/// A requested page size: 0 means 20, more than 100 means 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize(u16);

impl PageSize {
    /// Parses `page_size`.
    ///
    /// # Errors
    /// A violation of `pageSize` when it is negative.
    pub fn parse(raw: i32) -> Result<Self, Violation> {
        Self::parse_up_to(raw, 100)
    }

    /// Parses `page_size` for a list of small rows: more than `max` means `max`.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_up_to(raw: i32, max: u16) -> Result<Self, Violation> {
        match raw {
            0 => Ok(Self(20)),
            1.. => Ok(Self(u16::try_from(raw).unwrap_or(max).min(max))),
            _ => Err(Violation::new("pageSize", "This must not be negative.")),
        }
    }

    /// The rows of a page.
    #[must_use]
    pub fn rows(self) -> usize {
        usize::from(self.0)
    }

    /// The rows to fetch: one more than the page, to learn whether another page follows.
    #[must_use]
    pub fn to_fetch(self) -> i64 {
        i64::from(self.0) + 1
    }
}

/// The sort key of the last row of a page. Callers can forge it, so it is only a bound in a query that authorises
/// itself.
pub trait Cursor: Serialize + DeserializeOwned {
    /// The opaque token for callers.
    fn to_token(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// Parses a token. An empty one is the first page.
    ///
    /// # Errors
    /// A violation of `pageToken` when it is not a token of this list.
    fn from_token(token: &str) -> Result<Option<Self>, Violation> {
        if token.is_empty() {
            return Ok(None);
        }
        let refused = || Violation::new("pageToken", "This page does not exist. Start again from the first one.");
        if token.len() > MAX_TOKEN {
            return Err(refused());
        }
        let bytes = URL_SAFE_NO_PAD.decode(token).map_err(|_| refused())?;
        serde_json::from_slice(&bytes).map(Some).map_err(|_| refused())
    }
}

/// A page of rows, and the token of the next page.
#[derive(Debug)]
pub struct Page<T> {
    /// At most as many as the page size.
    pub rows: Vec<T>,
    /// Empty on the last page.
    pub next_page_token: String,
}

impl<T> Page<T> {
    /// Cuts `fetched` (read with [`PageSize::to_fetch`]) to the page. `cursor` returns the sort key of a row.
    pub fn cut<C: Cursor>(mut fetched: Vec<T>, size: PageSize, cursor: impl Fn(&T) -> C) -> Self {
        let more = fetched.len() > size.rows();
        fetched.truncate(size.rows());
        let next_page_token = match fetched.last() {
            Some(last) if more => cursor(last).to_token(),
            _ => String::new(),
        };
        Self { rows: fetched, next_page_token }
    }

    /// The rows as messages, and the token of the next page: the two fields of a response.
    #[must_use]
    pub fn into_wire<M: From<T>>(self) -> (Vec<M>, String) {
        (self.rows.into_iter().map(M::from).collect(), self.next_page_token)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Newest {
        at: i64,
    }
    impl Cursor for Newest {}

    #[test]
    fn sizes_follow_the_convention() {
        assert_eq!(PageSize::parse(0).map(PageSize::rows), Ok(20));
        assert_eq!(PageSize::parse(7).map(PageSize::rows), Ok(7));
        assert_eq!(PageSize::parse(i32::MAX).map(PageSize::rows), Ok(100));
        let size = |raw| PageSize::parse_up_to(raw, 1_000).map(PageSize::rows);
        assert_eq!([size(0), size(700), size(1_001), size(i32::MAX)], [Ok(20), Ok(700), Ok(1_000), Ok(1_000)]);
        assert!(PageSize::parse(-1).is_err());
    }

    #[test]
    fn a_token_leads_to_the_next_page_and_the_last_page_has_none() {
        let size = PageSize::parse(2).unwrap();
        let page = Page::cut(vec![3_i64, 2, 1], size, |at| Newest { at: *at });
        assert_eq!(page.rows, [3, 2]);
        assert_eq!(Newest::from_token(&page.next_page_token), Ok(Some(Newest { at: 2 })));
        assert_eq!(Page::cut(vec![1_i64, 0], size, |at| Newest { at: *at }).next_page_token, "");
    }

    #[test]
    fn an_invalid_token_is_refused() {
        for bad in ["x", "%00", "bm90IGpzb24", &"A".repeat(100_000), "eyJhdCI6MWU0MDB9"] {
            assert!(Newest::from_token(bad).is_err(), "{bad:.20}");
        }
    }
}
