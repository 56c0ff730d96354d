//! Communities and their members.

pub mod handlers;
pub mod views;
