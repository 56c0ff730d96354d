//! Conversations and messages.

pub mod attachment_views;
pub mod attachments;
pub mod conversations;
pub mod group_views;
pub mod groups;
pub mod message_changes;
pub mod message_views;
pub mod messages;
pub mod participant;
pub mod views;
