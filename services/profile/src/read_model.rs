//! Copies of other services' data, built from their facts.

pub mod blocks;
pub mod connections;
