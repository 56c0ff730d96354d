//! social-graph on a real Postgres, asked through its own layers.
#![cfg(test)]

mod blocks;
mod closed;
mod communities;
mod connections;
mod cost;
mod demo;
mod erase;
mod events;
mod export;
mod facts;
mod graph;
mod races;
mod steps;
mod suggestions;
