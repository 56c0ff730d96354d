//! messaging on a real Postgres, asked through its own layers.
#![cfg(test)]

mod conversations;
mod cost;
mod erase;
mod export;
mod inbox;
