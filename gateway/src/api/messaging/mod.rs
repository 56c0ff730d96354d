//! Conversations and messages.

pub mod conversations;
pub mod messages;
pub mod unread;
pub mod views;
