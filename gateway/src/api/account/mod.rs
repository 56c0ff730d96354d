//! Account settings: password, sessions, recovery codes, closing the account.

pub mod handlers;
pub mod passkey_views;
pub mod views;
