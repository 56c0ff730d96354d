//! What happened to accounts' doors: ids and addresses, no names and no secrets. It outlives the account.

use chrono::{DateTime, Utc};
use sqlx::PgExecutor;
use uuid::Uuid;

use crate::error::Error;

/// What happened. `registered`, `signed in` and `reset link made` are written by the statement that does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody had the wrong password. Names that are nobody's leave no row.
    SignInFailed,
    /// A session was ended by its owner.
    SignedOut(Uuid),
    /// A session was ended from another one.
    SessionEnded(Uuid),
    /// A session made room for a newer one.
    SessionDisplaced(Uuid),
    /// All sessions were ended at once.
    SignedOutEverywhere,
    /// The password was changed by who knew it.
    PasswordChanged,
    /// Somebody signed in had the wrong password when asked for it again.
    PasswordRefused,
    /// The password was set on a browser that was trusted.
    ResetByBrowser,
    /// The password was set with a recovery code.
    ResetByCode,
    /// The password was set with an operator's link.
    ResetByLink,
    /// Somebody had a wrong code, a wrong link or no proof at all.
    ResetRefused,
    /// New recovery codes took the place of the old ones.
    CodesMade,
    /// The account was closed by its owner.
    Closed,
    /// Its owner came back in time.
    Reopened,
    /// The account is gone.
    Erased,
    /// Its owner asked for what is kept of them.
    Exported,
}

impl Event {
    const fn text(self) -> &'static str {
        match self {
            Self::SignInFailed => "sign-in failed",
            Self::SignedOut(_) => "signed out",
            Self::SessionEnded(_) => "session ended",
            Self::SessionDisplaced(_) => "session displaced",
            Self::SignedOutEverywhere => "signed out everywhere",
            Self::PasswordChanged => "password changed",
            Self::PasswordRefused => "password refused",
            Self::ResetByBrowser => "reset by trusted browser",
            Self::ResetByCode => "reset by recovery code",
            Self::ResetByLink => "reset by link",
            Self::ResetRefused => "reset refused",
            Self::CodesMade => "recovery codes made",
            Self::Closed => "closed",
            Self::Reopened => "reopened",
            Self::Erased => "erased",
            Self::Exported => "exported",
        }
    }

    const fn session(self) -> Option<Uuid> {
        match self {
            Self::SignedOut(session) | Self::SessionEnded(session) | Self::SessionDisplaced(session) => Some(session),
            _ => None,
        }
    }
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
    sqlx::query!(
        "insert into auth.audit (id, member_id, event, session_id, address, at)
        values ($1, $2, $3, $4, $5, $6)",
        id,
        member,
        event.text(),
        event.session(),
        address,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Takes the addresses out of a member's rows: of who is gone, nothing but ids is kept.
///
/// # Errors
/// When the database is away.
pub async fn forget_addresses(db: impl PgExecutor<'_>, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "update auth.audit
        set address = null
        where member_id = $1 and address is not null",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}
