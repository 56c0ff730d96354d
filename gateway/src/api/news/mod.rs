//! News articles and their sources.

pub mod handlers;
pub mod views;
