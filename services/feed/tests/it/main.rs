//! The whole service on a real Postgres, asked as the gateway asks it.
#![cfg(test)]

mod access;
mod comments;
mod demo;
mod erase;
mod facts;
mod idempotency;
mod input;
mod pages;
mod posts;
mod reactions;
mod stand;
