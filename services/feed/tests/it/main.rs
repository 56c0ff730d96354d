//! Tests of feed on a real Postgres, through its own layers.
#![cfg(test)]

mod access;
mod activity;
mod articles;
mod bad_input;
mod comment_reactions;
mod comments;
mod communities;
mod deactivation;
mod deletion;
mod demo;
mod erasure;
mod export;
mod facts;
mod fixtures;
mod idempotency;
mod impressions;
mod media;
mod mentions;
mod moderation;
mod pictures;
mod posts;
mod reactions;
mod read_model;
mod relevance;
mod replies;
mod reports;
mod reposts;
mod rng;
mod saved_items;
mod scenarios;
mod search;
mod timeline;
mod topics;
mod updates;
mod visibility;
