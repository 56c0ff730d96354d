//! Communities, their members, how members join them, and their moderation.

pub mod handlers;
pub mod moderation_views;
pub mod views;
