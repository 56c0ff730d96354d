//! The frame against real neighbours: Postgres, Redis, an OTLP collector.
#![cfg(test)]

mod db;
mod outbox;
mod records;
mod soft;
mod telemetry;
mod transport;
