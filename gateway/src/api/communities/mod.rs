//! Communities, their members, and their moderation.

pub mod handlers;
pub mod moderation;
pub mod moderation_views;
pub mod views;
