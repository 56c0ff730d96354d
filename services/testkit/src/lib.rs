//! What the services' tests stand on: a fresh database under the real roles, actors, a harness, fake neighbours.
//!
//! A dev-dependency only. A tool of tests has one way to complain: it panics, in a sentence.
#![expect(
    clippy::panic,
    clippy::expect_used,
    reason = "a test's tool fails by panicking"
)]

mod database;
mod server;

pub use database::Database;
