//! Registration, sign-in, sign-out, passkeys, authenticator apps, proving again in a session, and password reset.

pub mod attempts;
pub mod handlers;
pub mod passkeys;
pub mod reauthentication;
pub mod registration_budget;
pub mod reset;
pub mod totp;
pub mod views;
