//! Tests of news on a real Postgres, through the layers of its server.
#![cfg(test)]

mod articles;
mod clusters;
mod crawls;
mod deactivation;
mod demo;
mod export;
mod failures;
mod feed_server;
mod fixtures;
mod personal_data;
mod query_cost;
mod races;
mod resources;
mod retention;
mod search;
mod sources;
mod suggestions;
