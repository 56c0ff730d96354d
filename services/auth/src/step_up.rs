//! Step-up authentication: sensitive changes need a proof within the last minutes, because a browser may be unattended
//! or its cookie stolen. A sign-in is a proof, and so is a password, a code or a passkey that the member uses again.
//!
//! Where an authenticator app is set up, all of them need a proof of the second factor: otherwise a session that is older than the app,
//! or the password alone, could remove the app, export everything or close the account. A passkey, a code of the app and a recovery
//! code are such proofs.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{error::Error, sessions::Session};

/// A proof counts for this time.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// The time within which a call may follow the check that permitted it.
pub const MARGIN: TimeDelta = TimeDelta::minutes(1);

/// The kind of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofKind {
    /// The password.
    Password,
    /// A code or a passkey.
    SecondFactor,
}

/// The last proofs in a session.
#[derive(Clone, Copy, Debug)]
pub struct Proofs {
    /// The last proof of any kind; at least the sign-in.
    pub last: DateTime<Utc>,
    /// The last proof by a code or a passkey.
    pub last_second_factor: Option<DateTime<Utc>>,
    /// The account has an authenticator app.
    pub has_app: bool,
}

impl Proofs {
    /// Checks that a proof permits a sensitive change at a time. An account with an app needs a proof by the second
    /// factor.
    ///
    /// # Errors
    /// [`Error::StepUpRequired`].
    pub fn ensure_recent(self, at: DateTime<Utc>) -> Result<(), Error> {
        if !self.has_app {
            return if is_recent(self.last, at) { Ok(()) } else { Err(Error::StepUpRequired(Vec::new())) };
        }
        let is_proven = self.last_second_factor.is_some_and(|proved_at| is_recent(proved_at, at));
        if is_proven { Ok(()) } else { Err(Error::second_factor_proof_required()) }
    }
}

fn is_recent(proved_at: DateTime<Utc>, at: DateTime<Utc>) -> bool {
    at - proved_at < LIFETIME
}

/// Stores the time of a proof. The caller must hold the lock on the session.
pub async fn record_proof(
    db: &mut PgConnection,
    session: Session,
    kind: ProofKind,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "update auth.sessions
        set proved_at = $3, second_factor_at = case when $4 then $3 else second_factor_at end
        where id = $1
            and member_id = $2",
        session.id,
        session.member,
        now,
        kind == ProofKind::SecondFactor,
    )
    .execute(db)
    .await?;
    Ok(())
}
