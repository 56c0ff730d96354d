//! jobs on a real Postgres, asked through its own layers.
#![cfg(test)]

mod applications;
mod apply;
mod board;
mod cost;
mod crawling;
mod demo;
mod erase;
mod export;
mod feeds;
mod filters;
mod ingest;
mod input;
mod kept;
mod postings;
mod races;
mod refresh;
mod samples;
mod search;
mod site;
mod sources;
