//! The controls of a member's feeds: hidden posts, mutes, and the reasons for a post.

pub mod handlers;
pub mod views;
