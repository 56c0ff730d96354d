//! Tests of testkit.
#![cfg(test)]

mod access;
mod database;
mod harness;
mod other_server;
