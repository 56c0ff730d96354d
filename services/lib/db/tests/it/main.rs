//! Transactions on a real Postgres.
#![cfg(test)]

mod transactions;
