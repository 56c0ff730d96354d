//! Finds what was written by its words, for every service alike; knows no business noun.
//!
//! A service keeps three tables in its schema, all written here: `search_documents`, what each thing it may find consists
//! of; `search_entries`, one row a word of a document in the order in which documents are wanted, so that the newest with a
//! word are a range of one index whether a million have the word or three; and `search_words`, which words there are,
//! whose forms they are and what they look like with a letter missing.
//!
//! `words` says what a word is, `keep` writes, `bulk` fills, `hunt` finds, a bounded piece at a time, `rank` says what is better.

mod asked;
mod bulk;
mod hunt;
mod keep;
mod rank;
mod sql;
pub mod words;

use std::sync::Arc;

pub use asked::Asked;
pub use hunt::{Found, Hunt};
pub use keep::{Document, EVERYBODY, Read, audience};
pub use rank::Order;

/// The search of one schema.
#[derive(Clone, Debug)]
pub struct Search {
    sql: Arc<sql::Sql>,
    order: Order,
}

impl Search {
    /// The search of `schema`, whose tables the service's migrations make.
    #[must_use]
    pub fn of(schema: &str, order: Order) -> Self {
        Self { sql: Arc::new(sql::Sql::new(schema)), order }
    }
}
