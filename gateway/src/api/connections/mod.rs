//! Connections, blocks and follows.

pub mod handlers;
pub mod views;
