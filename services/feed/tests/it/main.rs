//! The whole service on a real Postgres, asked as the gateway asks it.
#![cfg(test)]

mod access;
mod activity;
mod articles;
mod comments;
mod communities;
mod demo;
mod edits;
mod erase;
mod export;
mod facts;
mod graph;
mod hidden;
mod idempotency;
mod impressions;
mod input;
mod pages;
mod pictures;
mod posts;
mod reactions;
mod relevance;
mod removal;
mod reports;
mod reposts;
mod saved;
mod search;
mod sight;
mod stand;
mod worlds;
