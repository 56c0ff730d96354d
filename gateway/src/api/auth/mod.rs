//! Registration, sign-in, sign-out and password reset.

pub mod attempts;
pub mod handlers;
pub mod reset;
pub mod views;
