//! The frame every process is bolted to; knows no business noun.
//!
//! Thirteen modules, from the outside in: a process's life, what it is told, what it tells, how it talks, and what it keeps.

pub mod actor;
pub mod clock;
pub mod config;
pub mod db;
pub mod error;
pub mod ids;
pub mod input;
pub mod lifecycle;
pub mod outbox;
pub mod pictures;
pub mod rpc;
pub mod soft;
pub mod telemetry;

pub use lifecycle::{Frame, main};
