//! A small world in a real Postgres: counters equal the rows, and one seed gives one content.
#![cfg(test)]

mod database;
mod fill;
mod search_index;
