//! Crawling of external sources. Contains no business term.
//!
//! `schedule` decides when a source is crawled and by which replica, `address` and `fetch` request it, `feed`, `text` and
//! `metadata` read the response, and `canonical` recognises known items. Responses are untrusted: each step bounds its time and memory.

pub mod address;
pub mod canonical;
pub mod feed;
pub mod fetch;
pub mod metadata;
pub mod schedule;
pub mod text;
