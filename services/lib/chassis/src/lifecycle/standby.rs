//! The standby of a service's Postgres, as its other parts see it.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use primitives::log_position::LogPosition;
use rpc::WrittenLog;
use tokio::time::timeout;

/// The most that the response to a write waits for its position.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// The standby, once it exists. Clones share it.
#[derive(Clone, Default)]
pub struct Standby(Arc<OnceLock<Arc<db::Standby>>>);

impl Standby {
    pub(super) fn set(&self, standby: &Arc<db::Standby>) {
        if self.0.set(Arc::clone(standby)).is_err() {
            tracing::warn!("a service opened its connections twice; its responses state the positions of the first");
        }
    }

    /// Whether a standby exists.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.0.get().is_some()
    }

    /// Returns a position in the log that contains every committed write; zero without a standby.
    ///
    /// # Errors
    /// When the primary is unavailable.
    pub async fn written(&self) -> Result<LogPosition, sqlx::Error> {
        match self.0.get() {
            Some(standby) => standby.written().await,
            None => Ok(LogPosition::default()),
        }
    }

    /// The log of its primary.
    pub(super) fn log(&self) -> Option<Arc<dyn WrittenLog>> {
        self.is_some().then(|| Arc::new(self.clone()) as Arc<dyn WrittenLog>)
    }
}

impl WrittenLog for Standby {
    fn written(&self) -> Pin<Box<dyn Future<Output = LogPosition> + Send + '_>> {
        Box::pin(async {
            // The write is committed, so its response does not wait for long. Reads with an unknown position do not use
            // a standby.
            match timeout(MAX_WAIT, Self::written(self)).await {
                Ok(Ok(position)) => position,
                Ok(Err(_)) | Err(_) => LogPosition::PRIMARY,
            }
        })
    }
}

impl std::fmt::Debug for Standby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Standby")
    }
}
