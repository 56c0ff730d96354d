//! An embedded PostgreSQL: found or downloaded, initialised, started, stopped.
//!
//! `cargo xtask up` and the tests use it. This crate executes no SQL: [`BOOTSTRAP`] is the script that prepares every
//! new database, and the caller of the first connection runs it.

mod account;
mod binaries;
mod cluster;
mod error;
mod fetch;
mod location;
mod server;
mod shutdown;

pub use binaries::Source;
pub use cluster::{Profile, discard};
pub use error::{Error, Result};
pub use location::home_for;
pub use server::{Options, Postgres, Running};

/// Roles, schemas, grants and extensions, idempotent; a superuser runs it inside the target database.
pub const BOOTSTRAP: &str = include_str!("../bootstrap.sql");
