//! The whole service on a real Postgres, asked as the gateway asks it.
#![cfg(test)]

mod access;
mod activity;
mod comments;
mod demo;
mod erase;
mod export;
mod facts;
mod hidden;
mod idempotency;
mod impressions;
mod input;
mod pages;
mod posts;
mod reactions;
mod stand;
