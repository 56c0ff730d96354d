//! The activity of a member.

pub mod handlers;
pub mod views;
