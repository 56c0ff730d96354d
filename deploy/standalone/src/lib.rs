//! portia
