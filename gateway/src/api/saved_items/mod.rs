//! Saved items.

pub mod handlers;
pub mod views;
