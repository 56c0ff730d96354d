//! Secrets: passwords, their hashes and random tokens.

pub mod common_passwords;
pub mod guessable;
pub mod hashing;
pub mod member_tokens;
pub mod password;
pub mod token;
