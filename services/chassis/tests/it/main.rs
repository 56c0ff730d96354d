//! The frame against real neighbours: Postgres, Redis, an OTLP collector.
#![cfg(test)]

mod outbox;
mod soft;
mod telemetry;
