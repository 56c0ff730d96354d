//! Reports of content and members.

pub mod handlers;
pub mod views;
