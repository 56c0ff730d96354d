//! Profiles in brief, connections and suggestions of a member, and the cache of member cards.

pub mod cache;
pub mod handlers;
pub mod views;
