//! A demo feed.
