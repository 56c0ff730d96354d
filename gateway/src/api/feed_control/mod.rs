//! What a member controls in their feeds: hidden posts, mutes, and the reasons for a post.

pub mod handlers;
pub mod views;
