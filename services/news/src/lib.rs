//! news
