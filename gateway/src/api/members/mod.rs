//! Profiles with their bodies in memory, connections and suggestions of a member, equal names, and the cache of member cards.

pub mod bodies;
pub mod cache;
pub mod handlers;
pub mod namesakes;
pub mod views;
