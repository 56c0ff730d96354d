//! Full-text search over the documents of one service. Contains no business term.
//!
//! A service's schema has three tables, written only here. `search_documents` has the words of each document.
//! `search_entries` is the inverted index: one row for each word of a document, in the order (word, partition, time, id), so
//! that the newest documents with a word are a range of one index at any frequency of the word. `search_words` has the known
//! words with their stems and their variants with one letter removed.
//!
//! # Beginnings
//!
//! A word is found by its beginning. Where titles are names ([`Order::Titles`]), each beginning of each word of a title is an
//! entry of its own (`whi*`), so that a first name and one letter of a last name are two ranges, at any number of members.
//! Other words are found through `search_words`: all words with a beginning if they are few, the shortest ones otherwise; and
//! the documents of a rare word are read, which shows all their words.
//!
//! # Another tokenization
//!
//! `search_documents.state` tells which tokenization wrote the words: 1 and 2 stand for the first one, 3 (some words
//! are not yet in `search_words`) and 4 (complete) for the present one. The background work reads documents of an
//! earlier tokenization again, in batches, after the changed ones (0). The next change of the rules of `tokenization`
//! takes 5 and 6. An earlier version that still runs writes the earlier states, so nothing is lost.
//!
//! # Partitions
//!
//! Each document has one audience: the public (0) or a number from 1 to 2^30 - 1. An audience has two partitions of the
//! entries: `2 * audience` holds the words of titles, `2 * audience + 1` the words of bodies (the column `shelf`). A
//! query reads, for each word, only the partitions of the caller's audiences, newest first. The partition of an entry
//! therefore gives its place in the document, and documents of other audiences cost nothing. Two ids may share an
//! audience number, so the service filters the results by its own rules.
//!
//! # Modules
//!
//! `tokenization` splits text into words, `index` writes documents, `bulk` builds the entries of a filled schema, `query` parses
//! requests, `executor` finds documents in bounded steps, `ranking` orders them. `list_filter` describes the other kind of
//! search: the literal filter of lists, which has no word lists.

mod bulk;
mod executor;
mod index;
pub mod list_filter;
mod query;
mod ranking;
mod sql;
mod tokenization;

use std::sync::Arc;

use sqlx::migrate::Migrator;

pub use executor::{SearchExecutor, SearchPage};
pub use index::{Document, DocumentsFuture, PUBLIC, ReadDocuments, audience};
pub use query::{SearchQuery, WindowQuery};
pub use ranking::Order;

/// The migrations of the tables, for the schema of each service that has an index.
pub static TABLES: Migrator = sqlx::migrate!();

/// The search of one schema.
#[derive(Clone, Debug)]
pub struct Search {
    sql: Arc<sql::Sql>,
    order: Order,
}

impl Search {
    /// The search of `schema`, whose migrations create the tables.
    #[must_use]
    pub fn of(schema: &str, order: Order) -> Self {
        Self { sql: Arc::new(sql::Sql::new(schema, order)), order }
    }
}
