//! Connections and blocks.

pub mod blocks;
pub mod follows;
pub mod handlers;
pub mod views;
