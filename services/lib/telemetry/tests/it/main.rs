//! Traces and metrics, as received by a collector and Prometheus.
#![cfg(test)]

mod trace;
