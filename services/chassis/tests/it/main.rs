//! The frame against real neighbours: Postgres, Redis, an OTLP collector.

mod outbox;
mod soft;
mod telemetry;
