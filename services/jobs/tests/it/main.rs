//! jobs on a real Postgres, asked through its own layers.

mod applications;
mod board;
mod cost;
mod erase;
mod filters;
mod postings;
