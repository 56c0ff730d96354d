//! Topics and their posts.

pub mod handlers;
pub mod views;
