//! Closed and erased accounts.
//!
//! A member closes and reactivates an account, an operator or a moderator suspends and restores it. The two states are
//! independent: a closed account that is suspended cannot be reactivated, and is erased in time; a restored account stays
//! closed.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    error::Error,
    publishing, sessions,
};

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
        now - sessions::REACTIVATION_PERIOD,
    );
    Ok(reopened.execute(db).await?.rows_affected() == 1)
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
        publishing::publish_account_erased(outbox, &mut tx, member, now).await?;
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
        now - sessions::REACTIVATION_PERIOD,
    );
    Ok(erased.fetch_optional(db).await?)
}
