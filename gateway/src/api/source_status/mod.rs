//! The status of the crawled sources.

pub mod handlers;
pub mod views;
