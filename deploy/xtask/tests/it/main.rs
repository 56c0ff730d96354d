//! Files of the deployment against the code that they configure.
#![cfg(test)]

mod configuration;
mod kubernetes;
mod observability;
mod repository;
mod sizing;
