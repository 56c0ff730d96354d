//! The metrics of pools: connections by state, and waits for one.

use std::time::{Duration, Instant};

use metrics::{Gauge, Histogram, describe_gauge, describe_histogram, gauge, histogram};
use sqlx::PgPool;

/// A wait that a trace shows.
const NOTED: Duration = Duration::from_millis(1);

/// The metrics of waits in one pool.
pub(crate) struct Handles {
    schema: String,
    waiting: Gauge,
    duration: Histogram,
}

impl Handles {
    pub(crate) fn of(pool: &PgPool) -> Self {
        let schema = schema_of(pool);
        Self {
            waiting: gauge!("db_pool_waiting", "schema" => schema.clone()),
            duration: histogram!("db_pool_wait_duration_seconds", "schema" => schema.clone()),
            schema,
        }
    }

    pub(crate) fn wait(&self) -> Wait<'_> {
        self.waiting.increment(1);
        Wait { of: self, since: Instant::now(), is_failed: true }
    }
}

/// A request that waits for a connection, until it is dropped.
pub(crate) struct Wait<'a> {
    of: &'a Handles,
    since: Instant,
    is_failed: bool,
}

impl Wait<'_> {
    /// Ends the wait with a connection.
    pub(crate) fn succeed(mut self) {
        self.is_failed = false;
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let elapsed = self.since.elapsed();
        self.of.waiting.decrement(1);
        self.of.duration.record(elapsed);
        if elapsed >= NOTED {
            let (pool, elapsed_secs) = (self.of.schema.as_str(), elapsed.as_secs_f64());
            // Becomes a span.
            tracing::debug!(target: "db::wait", pool, elapsed_secs, failed = self.is_failed, "waited for a connection");
        }
    }
}

/// Records the connections of a pool, for a scrape of the metrics.
pub fn record(pool: &PgPool) {
    describe_gauge!("db_pool_connections", "Open connections to Postgres, by state");
    describe_gauge!("db_pool_connections_max", "The most connections to Postgres");
    describe_gauge!("db_pool_waiting", "Requests that wait for a connection");
    describe_histogram!("db_pool_wait_duration_seconds", "Seconds until a request has a connection");
    let schema = schema_of(pool);
    let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
    let used = pool.size().saturating_sub(idle);
    gauge!("db_pool_connections", "schema" => schema.clone(), "state" => "idle").set(idle);
    gauge!("db_pool_connections", "schema" => schema.clone(), "state" => "used").set(used);
    gauge!("db_pool_waiting", "schema" => schema.clone()).increment(0);
    gauge!("db_pool_connections_max", "schema" => schema).set(pool.options().get_max_connections());
}

/// Each pool names its schema as the application.
fn schema_of(pool: &PgPool) -> String {
    pool.connect_options().get_application_name().unwrap_or_default().to_owned()
}
