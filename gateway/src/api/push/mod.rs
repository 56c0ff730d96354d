//! Web push: the browsers of the member that get notifications.

pub mod handlers;
pub mod views;
