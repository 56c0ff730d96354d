//! Step-up authentication: sensitive changes need a proof within the last minutes, because a browser may be unattended or its
//! cookie stolen. A sign-in is one, and a password or a code that the member enters again.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::{error::Error, sessions::Session};

/// A proof counts for this time.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(10);
/// A call that a check permitted may follow after this time.
pub const MARGIN: TimeDelta = TimeDelta::minutes(1);

/// Whether a proof counts at a time.
///
/// # Errors
/// [`Error::StepUpRequired`].
pub fn ensure_recent(proved_at: DateTime<Utc>, at: DateTime<Utc>) -> Result<(), Error> {
    if at - proved_at < LIFETIME { Ok(()) } else { Err(Error::StepUpRequired) }
}

/// Stores the time of a proof. The caller must hold the lock on the session.
pub async fn record_proof(db: &mut PgConnection, session: Session, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update auth.sessions
        set proved_at = $3
        where id = $1
            and member_id = $2",
        session.id,
        session.member,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}
