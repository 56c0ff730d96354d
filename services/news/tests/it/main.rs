//! news on a real Postgres, asked through its own layers.
#![cfg(test)]

mod articles;
mod cost;
mod crawls;
mod demo;
mod erase;
mod export;
mod newsroom;
mod press;
mod races;
mod resources;
mod sources;
mod stories;
mod suggestions;
