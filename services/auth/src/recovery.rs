//! Proofs that a member owns an account whose password is forgotten.

pub mod codes;
pub mod links;
pub mod proof;
pub mod trusted_browsers;
