//! The whole stack as a browser meets it, in both shapes: one process, and eight.
#![cfg(test)]

mod admin;
mod bad_input;
mod browser;
mod crawl;
mod graph;
mod hostile;
mod live;
mod local;
mod messages;
mod moderation;
mod processes;
mod remote;
mod seeded;
mod trace;
