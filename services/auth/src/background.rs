//! The chain of the audit, and the hourly cleanup: expired sessions, trusted browsers, links, ceremonies of passkeys and unconfirmed
//! secrets, closed accounts past their reactivation period, and secrets of earlier keys, which are encrypted again.

use std::time::Duration;

use chassis::lifecycle::Activity;
use outbox::Changes;
use sqlx::PgPool;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    audit::chain::{self, AuditHead},
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
    pub changes: Changes,
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
        let now = self.changes.clock.now();
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
        let accounts = deactivation::erase_due(&self.db, &self.changes).await?;
        if accounts > 0 {
            tracing::info!(accounts, "erased closed accounts");
        }
        Ok(())
    }
}

/// The interval between two looks for new rows of the audit. An idle process waits longer, see [`Activity`].
const SEALING_INTERVAL: Duration = Duration::from_secs(1);
/// The interval at which the newest row is logged.
const HEAD_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Links the rows of the audit to a chain.
#[derive(Clone)]
pub struct AuditSealing {
    pub db: PgPool,
    pub activity: Activity,
}

impl AuditSealing {
    pub async fn run(self, stopped: CancellationToken) -> anyhow::Result<()> {
        let mut logged: Option<(Instant, AuditHead)> = None;
        loop {
            chain::seal(&self.db).await?;
            if logged.is_none_or(|(at, _)| at.elapsed() >= HEAD_INTERVAL) {
                let head = chain::head(&self.db).await?;
                if logged.is_none_or(|(_, last)| last != head) {
                    // The log leaves the machine, so a change of the database cannot change this line.
                    tracing::info!(target: "security", %head, "the newest row of the audit");
                }
                logged = Some((Instant::now(), head));
            }
            if stopped.run_until_cancelled(self.activity.pause(SEALING_INTERVAL)).await.is_none() {
                return Ok(());
            }
        }
    }
}
