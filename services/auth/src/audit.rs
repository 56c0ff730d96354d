//! What happened to accounts' doors: ids and addresses, no names and no secrets. It outlives the account.

use chrono::{DateTime, Utc};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::error::Error;

/// What happened. `registered` and `signed in` are written by the statement that does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody had the wrong password. Names that are nobody's leave no row.
    SignInFailed,
    /// A session was ended by its owner.
    SignedOut {
        /// Which one.
        session: Uuid,
    },
}

/// Notes what happened to a member's account.
///
/// # Errors
/// When the database is away.
pub async fn note(
    db: impl PgExecutor<'_>,
    id: Uuid,
    member: Uuid,
    event: Event,
    address: Option<&str>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let (event, session) = match event {
        Event::SignInFailed => ("sign-in failed", None),
        Event::SignedOut { session } => ("signed out", Some(session)),
    };
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, session_id, address, at)
        values ($1, $2, $3, $4, $5, $6)",
        id,
        member,
        event,
        session,
        address,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}
