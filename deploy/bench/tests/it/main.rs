//! A small world in a real Postgres: what is kept is what counting gives, and one seed is one content.
#![cfg(test)]

mod database;
mod fill;
mod search_index;
