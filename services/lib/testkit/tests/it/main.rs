//! Tests of testkit.
#![cfg(test)]

mod database;
mod harness;
mod other_server;
