//! Topics and their posts.

pub mod handlers;
