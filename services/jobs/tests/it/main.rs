//! Tests of jobs on a real Postgres, through the layers of its server.
#![cfg(test)]

mod application_files;
mod applications;
mod apply;
mod board_server;
mod dates;
mod deactivation;
mod demo;
mod derived_rows;
mod export;
mod feeds;
mod filters;
mod fixtures;
mod ingest;
mod input;
mod personal_data;
mod places;
mod postings;
mod query_cost;
mod races;
mod refresh;
mod samples;
mod schedule;
mod search;
mod sent_to_employer;
mod sources;
