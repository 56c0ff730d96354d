//! Closed, suspended and erased accounts.
//!
//! A member closes and reactivates an account, an operator suspends and restores it. The two states are independent: a
//! closed account that is suspended cannot be reactivated, and is erased in time; a restored account stays closed.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    error::Error,
    facts,
};

/// A sign-in within this time reactivates a closed account; after it the account is erased.
pub const REACTIVATION_PERIOD: TimeDelta = TimeDelta::days(14);

/// Closes an account; `false` when it is closed already.
pub async fn deactivate(db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    let closed = sqlx::query!(
        "update auth.accounts
        set closed_at = $2
        where id = $1 and closed_at is null",
        member,
        now,
    );
    Ok(closed.execute(db).await?.rows_affected() == 1)
}

/// Opens a closed account; `false` when it is open, or its reactivation period is over.
pub async fn reactivate(db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    let reopened = sqlx::query!(
        "update auth.accounts
        set closed_at = null
        where id = $1 and closed_at > $2",
        member,
        now - REACTIVATION_PERIOD,
    );
    Ok(reopened.execute(db).await?.rows_affected() == 1)
}

/// The other state of an account that was suspended or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuspendedAccount {
    /// The owner closed it, so no fact about its visibility is due.
    pub is_closed: bool,
}

/// Suspends an account and locks its row; `None` when it is suspended already, or the moderator is a party of the case.
pub async fn suspend(
    db: &mut PgConnection,
    member: Uuid,
    moderator: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<Option<SuspendedAccount>, Error> {
    let account = sqlx::query_as!(
        SuspendedAccount,
        "update auth.accounts
        set suspended_at = $2
        where id = $1
            and suspended_at is null
            and not exists (
                select from auth.case_parties party where party.account_id = $1 and party.member_id = $3::uuid
            )
        returning closed_at is not null as \"is_closed!\"",
        member,
        now,
        moderator,
    );
    Ok(account.fetch_optional(db).await?)
}

/// Restores a suspended account and locks its row; `None` when it is not suspended, or the moderator is a party of the case.
pub async fn restore(
    db: &mut PgConnection,
    member: Uuid,
    moderator: Option<Uuid>,
) -> Result<Option<SuspendedAccount>, Error> {
    let account = sqlx::query_as!(
        SuspendedAccount,
        "update auth.accounts
        set suspended_at = null
        where id = $1
            and suspended_at is not null
            and not exists (
                select from auth.case_parties party where party.account_id = $1 and party.member_id = $2::uuid
            )
        returning closed_at is not null as \"is_closed!\"",
        member,
        moderator,
    );
    Ok(account.fetch_optional(db).await?)
}

/// Erases every account with an expired reactivation period, each in its own transaction with its fact. Returns their
/// number.
pub async fn erase_due(pool: &PgPool, outbox: &Outbox, ids: &Ids, clock: &Clock) -> Result<u64, Error> {
    let mut erased = 0;
    loop {
        let now = clock.now();
        let mut tx = db::begin(pool).await?;
        let Some(member) = erase_next(&mut tx, now).await? else { return Ok(erased) };
        audit::redact(&mut *tx, member).await?;
        audit::record(&mut *tx, ids.owned_by(member), member, AuditEvent::Erased, None, now).await?;
        facts::publish_account_erased(outbox, &mut tx, member, now).await?;
        tx.commit().await?;
        erased += 1;
    }
}

/// Foreign keys delete the sessions, trusted browsers, recovery codes, passkeys, the secret of the app, the link, the suspensions and
/// the disputes with the account.
async fn erase_next(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<Uuid>, Error> {
    let erased = sqlx::query_scalar!(
        "delete from auth.accounts
        where id = (
            select id
            from auth.accounts
            where closed_at <= $1
            order by closed_at
            limit 1
            for update skip locked
        )
        returning id",
        now - REACTIVATION_PERIOD,
    );
    Ok(erased.fetch_optional(db).await?)
}
