//! The process: configuration, start-up, readiness, background tasks and shutdown. No business term.
//!
//! A service starts with [`main`], which builds a [`ServiceContext`] and passes it to the service's `start`.

pub mod config;
pub mod lifecycle;

pub use lifecycle::{ServiceContext, main};
