//! Forgetting a member whose account is gone, and what others were told of one whose account is closed: in bounded
//! transactions, so that nobody waits for longer than one of them takes, and no statement takes too long.

#[cfg(test)]
mod tests;

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{closing, conversations::erasure, error::Error, notifications::Bell, unread};

/// Rows that go in one transaction.
pub const BATCH: i64 = 500;
/// How often new requests are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Notes that a member is to be forgotten, in the transaction of the fact that says so; until it is done the account
/// counts as closed.
pub async fn request(db: &mut PgConnection, member: Uuid, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    closing::close(db, member).await?;
    sqlx::query!(
        "insert into messaging.erasures (member_id, requested_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Works off what was noted until the process stops, which may be between any two statements.
pub fn work(context: &ServiceContext, db: &PgPool, bell: &Bell) {
    let (db, bell) = (db.clone(), bell.clone());
    context.tasks.spawn("erasures", move |stopped| {
        let (db, bell) = (db.clone(), bell.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    done = look(&db, &bell) => done?,
                }
            }
        }
    });
}

async fn look(db: &PgPool, bell: &Bell) -> Result<(), Error> {
    tokio::time::sleep(LOOK_EVERY).await;
    work_off(db, bell).await
}

/// Works off all that is noted now. Where one member's fails, the others' goes on; what was not done is done next time.
async fn work_off(db: &PgPool, bell: &Bell) -> Result<(), Error> {
    let mut outcome = Ok(());
    let gone = sqlx::query_scalar!("select member_id from messaging.erasures order by requested_at");
    for member in gone.fetch_all(db).await? {
        outcome = outcome.and(forget(db, bell, member).await);
    }
    let closed = sqlx::query_scalar!("select member_id from messaging.closed_members where told_of");
    for member in closed.fetch_all(db).await? {
        outcome = outcome.and(take_back(db, bell, member).await);
    }
    outcome
}

/// Forgets a member. The note goes with the last of it, so whoever is killed on the way goes on where they stood.
async fn forget(db: &PgPool, bell: &Bell, member: Uuid) -> Result<(), Error> {
    while let Some(mut tx) = claim_erasure(db, member).await? {
        let more = bite(&mut tx, bell, member).await?;
        tx.commit().await?;
        if !more {
            tracing::info!(%member, "member forgotten");
        }
    }
    Ok(())
}

/// Begins a transaction that nobody else works off this note in; none when there is no note, or somebody does.
async fn claim_erasure(db: &PgPool, member: Uuid) -> Result<Option<Transaction<'static, Postgres>>, Error> {
    let mut tx = db::begin(db).await?;
    let claimed = sqlx::query_scalar!(
        "select member_id
        from messaging.erasures
        where member_id = $1
        for update skip locked",
        member,
    );
    Ok(claimed.fetch_optional(&mut *tx).await?.map(|_| tx))
}

/// Takes a bite of what is left of a member; what they said stays for the other side, from nobody. False for the last.
/// Each locks things of one sort only, or, the last, in the order in which everybody does: bells first.
pub async fn bite(db: &mut PgConnection, bell: &Bell, member: Uuid) -> Result<bool, sqlx::Error> {
    let more = bell.forget_deeds(db, member).await?
        || erasure::leave(db, member).await?
        || erasure::unsign(db, member).await?
        || erasure::unblock(db, member).await?
        || bell.forget_told(db, member).await?;
    if !more {
        bell.forget(db, member).await?;
        unread::forget(db, member).await?;
        closing::forget(db, member).await?;
        sqlx::query!("delete from messaging.erasures where member_id = $1", member).execute(db).await?;
    }
    Ok(more)
}

/// Takes back what others were told of a member whose account is closed, until it is open again.
async fn take_back(db: &PgPool, bell: &Bell, member: Uuid) -> Result<(), Error> {
    loop {
        let mut tx = db::begin(db).await?;
        if !closing::claim(&mut tx, member).await? {
            return Ok(());
        }
        if !bell.forget_deeds(&mut tx, member).await? {
            closing::taken_back(&mut tx, member).await?;
        }
        tx.commit().await?;
    }
}
