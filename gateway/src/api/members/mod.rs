//! Profiles in brief, connections and suggestions of a member, equal names, and the cache of member cards.

pub mod author;
pub mod cache;
pub mod handlers;
pub mod namesakes;
pub mod views;
