//! messaging on a real Postgres, asked through its own layers.
#![cfg(test)]

mod blocks;
mod conversations;
mod cost;
mod demo;
mod erase;
mod export;
mod inbox;
mod input;
mod marks;
mod messages;
mod notifications;
mod races;
mod requests;
