//! A small world in a real Postgres: counters equal the rows, one seed gives one content, and the bare server answers.
#![cfg(test)]

mod bare;
mod database;
mod fill;
mod search_index;
