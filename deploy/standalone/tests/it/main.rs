//! The whole stack as a browser meets it, in both shapes: one process, and eight.

mod browser;
mod local;
mod processes;
mod remote;
mod trace;
