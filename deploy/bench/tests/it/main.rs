//! A small world in a real Postgres: what is kept is what counting gives, and one seed is one content.

mod database;
mod fill;
