//! Registration, sign-in, sign-out, passkeys and password reset.

pub mod attempts;
pub mod handlers;
pub mod passkey_views;
pub mod passkeys;
pub mod reset;
pub mod views;
