//! Law school resources.

pub mod handlers;
pub mod views;
