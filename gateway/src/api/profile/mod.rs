//! The profile of a member and its endorsements.

pub mod data_url;
pub mod handlers;
pub mod views;
