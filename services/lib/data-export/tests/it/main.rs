//! Exports from a real Postgres.
#![cfg(test)]

mod export;
