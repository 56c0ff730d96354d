//! Registration, sign-in, sign-out, proving again in a session, authenticator apps, and password reset.

pub mod attempts;
pub mod handlers;
pub mod reauthentication;
pub mod reset;
pub mod totp;
pub mod views;
