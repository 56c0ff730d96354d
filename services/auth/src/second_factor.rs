//! The second factor: a code of an authenticator app, or a recovery code in its place.

pub mod stored_secrets;
pub mod totp;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use self::totp::TotpCode;
use crate::{
    credentials::sealing::SealingKeys,
    error::Error,
    recovery::codes::{self, RecoveryCode},
};

/// A code as typed.
#[derive(Debug)]
pub enum OneTimeCode {
    /// Six digits of an app.
    Totp(TotpCode),
    /// A recovery code.
    Recovery(RecoveryCode),
    /// A text in neither format: refused like a wrong code.
    Malformed,
}

impl OneTimeCode {
    /// Parses a code.
    pub fn parse(raw: &str) -> Self {
        let recovery = || RecoveryCode::parse(raw).map(Self::Recovery);
        TotpCode::parse(raw).map(Self::Totp).or_else(recovery).unwrap_or(Self::Malformed)
    }

    /// Uses the code; `false` when it is wrong, expired or used. The caller must hold the lock on the account.
    pub async fn consume(
        &self,
        db: &mut PgConnection,
        member: Uuid,
        keys: &SealingKeys,
        now: DateTime<Utc>,
    ) -> Result<bool, Error> {
        match self {
            Self::Totp(code) => totp::consume(db, member, code, keys, now).await,
            Self::Recovery(code) => codes::consume(db, member, code, now).await,
            Self::Malformed => Ok(false),
        }
    }
}
