//! The privacy settings of a member.

pub mod handlers;
pub mod views;
