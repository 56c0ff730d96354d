//! Secrets: passwords, their hashes, random tokens, and encrypted secrets that auth must read again.

pub mod common_passwords;
pub mod guessable;
pub mod hashing;
pub mod password;
pub mod sealing;
pub mod token;
