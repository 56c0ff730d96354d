//! social-graph on a real Postgres, asked through its own layers.
#![cfg(test)]

mod communities;
mod connections;
mod cost;
mod erase;
mod events;
mod graph;
mod suggestions;
