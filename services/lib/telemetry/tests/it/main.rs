//! Traces and metrics, as a collector and Prometheus receive them.
#![cfg(test)]

mod trace;
