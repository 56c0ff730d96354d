//! The whole stack as a browser uses it, in both forms: one process, and eight.
#![cfg(test)]

mod admin;
mod bad_input;
mod bench;
mod browser;
mod crawl;
mod database_restart;
mod dead_facts;
mod encryption;
mod graph;
mod hostile;
mod key_rotation;
mod live;
mod local;
mod manual;
mod matrix;
mod messages;
mod metrics;
mod moderation;
mod network_policies;
mod output;
mod pictures;
mod pooler;
mod processes;
mod remote;
mod replicas;
mod roles;
mod trace;
mod verifications;
