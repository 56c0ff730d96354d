//! Secrets: passwords, their hashes and random tokens.

pub mod hashing;
pub mod password;
pub mod token;
