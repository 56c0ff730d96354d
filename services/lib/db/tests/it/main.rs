//! Migrations and transactions on a real Postgres.
#![cfg(test)]

mod handshake;
mod migrations;
mod pool;
mod refusals;
mod roles;
mod transactions;
