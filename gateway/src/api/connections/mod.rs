//! Connections and blocks.

pub mod blocks;
pub mod handlers;
pub mod views;
