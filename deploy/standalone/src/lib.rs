//! All of Portia in one process: seven services and the gateway on a private Postgres, called in process.

pub mod admin;
pub mod certificates;
pub mod contexts;
pub mod database;
pub mod demo;
pub mod environment;
pub mod folder;
pub mod key_rotation;
pub mod keys;
pub mod migrate;
pub mod output;
pub mod passwords;
pub mod stack;

/// The seven services.
pub const SERVICES: [&str; 7] = ["auth", "profile", "social-graph", "feed", "jobs", "news", "messaging"];
