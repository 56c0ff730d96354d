//! Posts, comments, likes and pictures.

pub mod comments;
pub mod handlers;
pub mod likes;
pub mod pictures;
pub mod requests;
pub mod views;
