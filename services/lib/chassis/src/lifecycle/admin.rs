//! The admin port: metrics, and the probes of start-up, liveness and readiness. Not public.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Router, extract::State, http::StatusCode, routing::get};
use sqlx::PgPool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Whether this process accepts requests: its socket listens, its pools answer, and it is not draining.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    started: Arc<AtomicBool>,
    draining: Arc<AtomicBool>,
    pools: Arc<Mutex<Vec<PgPool>>>,
}

impl Readiness {
    /// Adds a pool that must answer. The process has already migrated its schema.
    pub fn watch(&self, pool: PgPool) {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
    }

    /// The socket listens. Before that the schemas were migrated and the pools opened.
    pub fn start(&self) {
        self.started.store(true, Ordering::Relaxed);
    }

    /// Whether the start is complete. It stays so.
    #[must_use]
    pub fn started(&self) -> bool {
        self.started.load(Ordering::Relaxed)
    }

    /// Fails readiness from now on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Records the connections of each pool.
    fn record_pools(&self) {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(db::record_pool);
    }

    /// Queries each pool, with a timeout of half a second.
    pub async fn ready(&self) -> bool {
        if !self.started() || self.draining.load(Ordering::Relaxed) {
            return false;
        }
        let pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for pool in pools {
            let query = sqlx::query_scalar::<_, i32>("select 1").fetch_one(&pool);
            if !matches!(tokio::time::timeout(Duration::from_millis(500), query).await, Ok(Ok(1))) {
                return false;
            }
        }
        true
    }
}

/// Serves the admin port until `stopped`: also while the process drains, when readiness must be seen to fail. Open connections end
/// with the process, so that a monitor that keeps one does not delay the stop.
pub(super) async fn serve(
    listener: TcpListener,
    readiness: Readiness,
    metrics: impl Fn() -> String + Clone + Send + Sync + 'static,
    stopped: CancellationToken,
) -> anyhow::Result<()> {
    let router = Router::new()
        .route("/livez", get(async || "alive"))
        .route("/startupz", get(startupz))
        .route("/readyz", get(readyz))
        .with_state(readiness.clone())
        .route(
            "/metrics",
            get(async move || {
                readiness.record_pools();
                metrics()
            }),
        );
    tokio::select! {
        served = axum::serve(listener, router) => served?,
        () = stopped.cancelled() => {}
    }
    Ok(())
}

async fn startupz(State(readiness): State<Readiness>) -> (StatusCode, &'static str) {
    if readiness.started() { (StatusCode::OK, "started") } else { (StatusCode::SERVICE_UNAVAILABLE, "starting") }
}

async fn readyz(State(readiness): State<Readiness>) -> (StatusCode, &'static str) {
    if readiness.ready().await { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") }
}

#[cfg(test)]
mod tests;
