//! The admin port: metrics, liveness, readiness. Not public.

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

use telemetry::Telemetry;

/// Whether this process accepts requests: its pools answer, and it is not draining.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    draining: Arc<AtomicBool>,
    pools: Arc<Mutex<Vec<PgPool>>>,
}

impl Readiness {
    /// Adds a pool that must answer. The process has already migrated its schema.
    pub fn watch(&self, pool: PgPool) {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner).push(pool);
    }

    /// Fails readiness from now on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Queries each pool, with a timeout of half a second.
    pub async fn ready(&self) -> bool {
        if self.draining.load(Ordering::Relaxed) {
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

/// Serves the admin port until `stopped`.
pub(super) async fn serve(
    listener: TcpListener,
    readiness: Readiness,
    telemetry: Telemetry,
    stopped: CancellationToken,
) -> anyhow::Result<()> {
    let router = Router::new()
        .route("/livez", get(async || "alive"))
        .route("/readyz", get(readyz))
        .with_state(readiness)
        .route("/metrics", get(async move || telemetry.render_metrics()));
    axum::serve(listener, router).with_graceful_shutdown(async move { stopped.cancelled().await }).await?;
    Ok(())
}

async fn readyz(State(readiness): State<Readiness>) -> (StatusCode, &'static str) {
    if readiness.ready().await { (StatusCode::OK, "ready") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") }
}
