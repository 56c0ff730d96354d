//! Tests of the crawler against hostile servers.
#![cfg(test)]

mod bodies;
mod feeds;
mod memory;
mod names;
mod redirects;
mod requests;
mod server;
mod time;
