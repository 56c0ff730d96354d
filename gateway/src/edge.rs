//! What stands before every handler, whatever the request is about.

pub mod cache;
