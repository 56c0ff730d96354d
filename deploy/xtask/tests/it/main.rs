//! Files of the deployment against the code that they configure.
#![cfg(test)]

mod kubernetes;
mod observability;
mod repository;
