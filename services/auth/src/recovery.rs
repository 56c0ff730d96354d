//! Proofs of ownership for a password reset.

pub mod codes;
pub mod links;
pub mod trusted_browsers;
