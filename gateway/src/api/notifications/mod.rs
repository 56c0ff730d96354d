//! Notifications and their settings.

pub mod handlers;
pub mod views;
