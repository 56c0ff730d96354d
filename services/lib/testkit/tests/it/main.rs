//! What testkit promises its users.
#![cfg(test)]

mod database;
mod harness;
mod other_server;
