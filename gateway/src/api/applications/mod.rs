//! Applications for jobs.

pub mod handlers;
pub mod views;
