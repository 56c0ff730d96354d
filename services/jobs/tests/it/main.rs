//! jobs on a real Postgres, asked through its own layers.
#![cfg(test)]

mod applications;
mod board;
mod cost;
mod erase;
mod export;
mod filters;
mod postings;
