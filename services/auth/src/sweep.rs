//! What goes by itself, once an hour: sessions, browsers and links whose time is over, and accounts closed for good.

use std::time::Duration;

use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgPool;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{closing, error::Error, links, sessions, trusted};

/// How often. What is over opens nothing meanwhile.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// A process that has just come up has its callers to answer first.
const FIRST: Duration = Duration::from_secs(5 * 60);

/// What a sweep needs.
#[derive(Clone)]
pub struct Sweep {
    /// The pool on schema auth.
    pub db: PgPool,
    /// Where ends of accounts are told.
    pub outbox: Outbox,
    /// Makes ids of audit rows.
    pub ids: Ids,
    /// The time.
    pub clock: Clock,
}

impl Sweep {
    /// Sweeps soon after the start, and every hour until the process stops.
    pub async fn hourly(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut hourly = tokio::time::interval_at(Instant::now() + FIRST, EVERY);
        while stopped.run_until_cancelled(hourly.tick()).await.is_some() {
            self.once().await?;
        }
        Ok(())
    }

    async fn once(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let sessions = sessions::sweep(&self.db, now).await?;
        let browsers = trusted::sweep(&self.db, now).await?;
        let links = links::sweep(&self.db, now).await?;
        tracing::debug!(sessions, browsers, links, "deleted what is over");
        let accounts = closing::erase_due(&self.db, &self.outbox, &self.ids, &self.clock).await?;
        if accounts > 0 {
            tracing::info!(accounts, "erased accounts closed for good");
        }
        Ok(())
    }
}
