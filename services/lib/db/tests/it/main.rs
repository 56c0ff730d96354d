//! Migrations and transactions on a real Postgres.
#![cfg(test)]

mod migrations;
mod roles;
mod transactions;
