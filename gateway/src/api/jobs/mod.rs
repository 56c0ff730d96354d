//! Job postings.

pub mod handlers;
pub mod views;
