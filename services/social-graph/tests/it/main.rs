//! social-graph on a real Postgres, asked through its own layers.
#![cfg(test)]

mod announcing;
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
mod founding;
mod gatherings;
mod graph;
mod races;
mod rushes;
mod search;
mod steps;
mod suggestions;
