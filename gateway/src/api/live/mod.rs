//! The stream of live events.

pub mod events;
pub mod handlers;
pub mod hub;
pub mod views;
