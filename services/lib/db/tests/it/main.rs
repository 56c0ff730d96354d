//! Migrations and transactions on a real Postgres.
#![cfg(test)]

mod migrations;
mod pool;
mod roles;
mod transactions;
