//! Posts, comments, likes, pictures and PDF files.

pub mod bodies;
pub mod comment_pages;
pub mod comment_views;
pub mod comments;
pub mod handlers;
pub mod json_parts;
pub mod like_views;
pub mod likes;
pub mod link_previews;
pub mod mentions;
pub mod pdf_files;
pub mod pictures;
pub mod post_json;
pub mod requests;
pub mod signed_pictures;
pub mod views;
