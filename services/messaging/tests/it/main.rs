//! Tests of messaging on a real Postgres, through its own layers.
#![cfg(test)]

mod bad_input;
mod blocks;
mod conversations;
mod demo;
mod erasure;
mod export;
mod fixtures;
mod messages;
mod notifications;
mod privacy;
mod query_cost;
mod races;
mod read_marks;
mod requests;
