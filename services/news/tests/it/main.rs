//! news on a real Postgres, asked through its own layers.

mod articles;
mod cost;
mod erase;
mod newsroom;
mod resources;
mod sources;
