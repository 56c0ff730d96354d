//! Secrets: passwords, their hashes and random tokens.

pub mod common_passwords;
pub mod guessable;
pub mod hashing;
pub mod password;
pub mod token;
