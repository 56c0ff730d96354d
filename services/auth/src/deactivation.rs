//! Closed and erased accounts.
//!
//! A member closes and reactivates an account, an operator or a moderator suspends and restores it. The two states are
//! independent: a closed account that is suspended cannot be reactivated, and is erased in time; a restored account stays
//! closed.

use chrono::{DateTime, Utc};
use outbox::{Changes, UnitOfWork};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, AuditEvent},
    error::Error,
    publishing,
    recovery::{links, trusted_browsers},
    sessions::{self, Browser, Session},
};

/// Closes the account of the caller, and ends its sessions and its trust in other browsers. Returns the ended sessions.
///
/// # Errors
/// [`Error::SessionEnded`] when the account is closed already.
pub async fn deactivate(work: &mut UnitOfWork<'_>, caller: Session, browser: &Browser) -> Result<Vec<Uuid>, Error> {
    let member = caller.member;
    let closed = sqlx::query!(
        "update auth.accounts
        set closed_at = $2
        where id = $1 and closed_at is null",
        member,
        work.now,
    );
    if closed.execute(&mut *work.db).await?.rows_affected() == 0 {
        return Err(Error::SessionEnded);
    }
    let ended = sessions::end_all(work, member, None).await?;
    links::delete(work.db, member).await?;
    trusted_browsers::delete_of_other_sessions(work.db, caller).await?;
    audit::record(work, member, AuditEvent::Closed, Some(browser)).await?;
    publishing::publish_account_closed(work, member).await?;
    Ok(ended)
}

/// Opens a closed account; `false` when it is open, or its reactivation period is over.
pub async fn reactivate(work: &mut UnitOfWork<'_>, member: Uuid, browser: &Browser) -> Result<bool, Error> {
    let reopened = sqlx::query!(
        "update auth.accounts
        set closed_at = null
        where id = $1 and closed_at > $2",
        member,
        work.now - sessions::REACTIVATION_PERIOD,
    );
    let is_reopened = reopened.execute(&mut *work.db).await?.rows_affected() == 1;
    if is_reopened {
        audit::record(work, member, AuditEvent::Reopened, Some(browser)).await?;
        publishing::publish_account_reopened(work, member).await?;
    }
    Ok(is_reopened)
}

/// Erases every account with an expired reactivation period, each in its own transaction with its fact. Returns their
/// number.
pub async fn erase_due(pool: &PgPool, changes: &Changes) -> Result<u64, Error> {
    let mut erased = 0;
    loop {
        let mut tx = db::begin(pool).await?;
        let work = &mut changes.work(&mut tx);
        let Some(member) = erase_next(work.db, work.now).await? else { return Ok(erased) };
        audit::redact(&mut *work.db, member).await?;
        audit::record(work, member, AuditEvent::Erased, None).await?;
        publishing::publish_account_erased(work, member).await?;
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
