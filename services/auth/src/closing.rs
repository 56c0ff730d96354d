//! Closing an account, coming back in time, and its end: erased, with everything that hangs on it.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::Outbox;
use primitives::{clock::Clock, ids::Ids};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    audit::{self, Event},
    error::Error,
    facts,
};

/// How long closing an account can be undone.
pub const UNDO: TimeDelta = TimeDelta::days(14);

/// Closes an account; `false` when it was closed already.
///
/// # Errors
/// When the database is away.
pub async fn close(conn: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    let closed = sqlx::query!(
        "update auth.accounts
        set closed_at = $2
        where id = $1 and closed_at is null",
        member,
        now,
    );
    Ok(closed.execute(conn).await?.rows_affected() == 1)
}

/// Opens a closed account again; `false` when it was open, or its days are over.
///
/// # Errors
/// When the database is away.
pub async fn reopen(conn: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    let reopened = sqlx::query!(
        "update auth.accounts
        set closed_at = null
        where id = $1 and closed_at > $2",
        member,
        now - UNDO,
    );
    Ok(reopened.execute(conn).await?.rows_affected() == 1)
}

/// Erases every account whose days are over: each in a transaction of its own, with its fact. What cannot be erased now
/// is by the next sweep.
///
/// # Errors
/// When the database is away.
pub async fn erase_due(db: &PgPool, outbox: &Outbox, ids: &Ids, clock: &Clock) -> Result<u64, Error> {
    let mut erased = 0;
    loop {
        let now = clock.now();
        let mut tx = db::begin(db).await?;
        let Some(member) = erase_next(&mut tx, now).await? else { return Ok(erased) };
        audit::forget_words(&mut *tx, member).await?;
        audit::note(&mut *tx, ids.owned_by(member), member, Event::Erased, None, now).await?;
        facts::account_erased(outbox, &mut tx, member, now).await?;
        tx.commit().await?;
        erased += 1;
    }
}

/// Sessions, browsers, codes and link go with the account's row, by their foreign keys.
async fn erase_next(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<Uuid>, Error> {
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
        now - UNDO,
    );
    Ok(erased.fetch_optional(conn).await?)
}
