//! news on a real Postgres, asked through its own layers.
#![cfg(test)]

mod articles;
mod cost;
mod erase;
mod newsroom;
mod resources;
mod sources;
