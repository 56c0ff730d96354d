//! Search.

pub mod handlers;
pub mod views;
