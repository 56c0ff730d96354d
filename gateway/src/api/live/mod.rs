//! The stream of live events.

pub mod channel;
pub mod events;
pub mod facts;
pub mod handlers;
pub mod hub;
pub mod interests;
pub mod registration;
pub mod views;
