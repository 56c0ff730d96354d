//! The whole service on a real Postgres, asked as the gateway asks it.
#![cfg(test)]

mod access;
mod activity;
mod comments;
mod communities;
mod demo;
mod erase;
mod export;
mod facts;
mod graph;
mod hidden;
mod idempotency;
mod impressions;
mod input;
mod pages;
mod posts;
mod reactions;
mod relevance;
mod sight;
mod stand;
mod worlds;
