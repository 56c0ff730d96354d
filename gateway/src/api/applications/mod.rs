//! Applications for jobs.

pub mod files;
pub mod handlers;
pub mod views;
