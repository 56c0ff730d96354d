//! The hourly cleanup: expired sessions, trusted browsers, links, ceremonies of passkeys and unconfirmed secrets, closed accounts
//! past their reactivation period, and secrets of earlier keys, which are encrypted again.

use std::time::Duration;

use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::PgPool;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    credentials::sealing::SealingKeys,
    deactivation,
    error::Error,
    known_browsers,
    passkeys::ceremonies,
    recovery::{links, trusted_browsers},
    second_factor::{stored_secrets, totp},
    sessions,
};

/// Every read checks the expiry itself, so the cleanup may lag.
const INTERVAL: Duration = Duration::from_secs(60 * 60);
/// Keeps the database free for requests just after the start.
const FIRST_RUN: Duration = Duration::from_secs(5 * 60);

#[derive(Clone)]
pub struct Cleanup {
    pub db: PgPool,
    pub outbox: Outbox,
    pub ids: Ids,
    pub clock: Clock,
    pub secrets: SealingKeys,
}

impl Cleanup {
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut interval = tokio::time::interval_at(Instant::now() + FIRST_RUN, INTERVAL);
        while stopped.run_until_cancelled(interval.tick()).await.is_some() {
            self.run_once().await?;
        }
        Ok(())
    }

    async fn run_once(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let sessions = sessions::delete_expired(&self.db, now).await?;
        let browsers = trusted_browsers::delete_expired(&self.db, now).await?;
        let known = known_browsers::delete_expired(&self.db, now).await?;
        let links = links::delete_expired(&self.db, now).await?;
        let ceremonies = ceremonies::delete_expired(&self.db, now).await?;
        let totp = totp::delete_expired(&self.db, now).await?;
        let resealed = stored_secrets::reseal(&self.db, &self.secrets).await?;
        if resealed > 0 {
            tracing::info!(resealed, "encrypted secrets of authenticator apps with the current key");
        }
        tracing::debug!(sessions, browsers, known, links, ceremonies, totp, "deleted expired rows");
        let accounts = deactivation::erase_due(&self.db, &self.outbox, &self.ids, &self.clock).await?;
        if accounts > 0 {
            tracing::info!(accounts, "erased closed accounts");
        }
        Ok(())
    }
}
