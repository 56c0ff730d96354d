//! PostgreSQL for a machine that has none prepared: found or fetched, initialised, started, stopped.
//!
//! The embedded default of `cargo xtask up` runs on it, and so do the tests. Nothing here speaks
//! SQL: [`BOOTSTRAP`] is the script that prepares every fresh database, run by the caller of the first
//! connection to it.

mod account;
mod binaries;
mod cluster;
mod error;
mod fetch;
mod place;
mod server;
mod shutdown;

pub use binaries::Source;
pub use cluster::discard;
pub use error::{Error, Result};
pub use place::home_for;
pub use server::{Options, Postgres, Profile, Running};

/// Roles, schemas, grants and extensions, idempotent; a superuser runs it inside the target database.
pub const BOOTSTRAP: &str = include_str!("../bootstrap.sql");
