//! news on a real Postgres, asked through its own layers.
#![cfg(test)]

mod articles;
mod cost;
mod crawls;
mod demo;
mod erase;
mod export;
mod failing;
mod keeping;
mod newsroom;
mod press;
mod races;
mod resources;
mod search;
mod sources;
mod stories;
mod suggestions;
