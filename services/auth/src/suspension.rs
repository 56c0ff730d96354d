//! Suspending an account: nobody signs in to it and nobody is shown the member, until an operator restores it.
//!
//! It stands beside closing, and neither undoes the other: a member who closed their account may not come back to a
//! suspended one, and is erased in time all the same; restored, an account that was closed stays closed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// An account that was suspended or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its owner has closed it: it was shown to nobody before, and is not after.
    pub is_closed: bool,
}

/// Suspends an account, whose row stays locked; `None` when it was already.
///
/// # Errors
/// When the database is away.
pub async fn suspend(conn: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<Option<Changed>, Error> {
    let changed = sqlx::query_as!(
        Changed,
        "update auth.accounts
        set suspended_at = $2
        where id = $1 and suspended_at is null
        returning closed_at is not null as \"is_closed!\"",
        member,
        now,
    );
    Ok(changed.fetch_optional(conn).await?)
}

/// Restores a suspended account, whose row stays locked; `None` when it is not suspended.
///
/// # Errors
/// When the database is away.
pub async fn restore(conn: &mut PgConnection, member: Uuid) -> Result<Option<Changed>, Error> {
    let changed = sqlx::query_as!(
        Changed,
        "update auth.accounts
        set suspended_at = null
        where id = $1 and suspended_at is not null
        returning closed_at is not null as \"is_closed!\"",
        member,
    );
    Ok(changed.fetch_optional(conn).await?)
}
