//! The base of the services' tests: a new database under the real roles, actors, a harness, fake upstreams.
//!
//! A dev-dependency only. Failures are panics with a sentence.
#![expect(clippy::panic, clippy::expect_used, reason = "a test's tool fails by panicking")]

mod actors;
pub mod collector;
mod database;
mod fact_source;
mod harness;
mod other_server;
mod outbox_tables;
mod pause;
pub mod personal_data;
mod race;
mod rows;
pub mod search_cost;
mod server;

pub use actors::Actors;
pub use database::Database;
pub use fact_source::FactSource;
pub use harness::{Builder, Harness, clock};
pub use other_server::OtherServer;
pub use outbox_tables::outbox_tables;
pub use pause::pause;
pub use race::race;
pub use rows::{Cost, member};
