//! Account of members' pictures, so that no object stays in the store for nobody, whenever a process is killed.
//!
//! A new picture is claimed in a transaction of its own, put into the store while none is open, and taken into use in the
//! transaction of the change that shows it. What has no use for an hour, the sweeper takes away: object first, then row.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use picture_store::{Name, Pictures};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// How long an object without a use is kept: longer than any request that is about to use it takes.
const KEPT: TimeDelta = TimeDelta::hours(1);
/// How often the others are looked for.
const SWEEP_EVERY: Duration = Duration::from_mins(5);

/// Says that an object is about to be put for a member.
///
/// # Errors
/// [`Error::MemberNotFound`].
pub async fn claim(conn: &mut PgConnection, name: &Name, member: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "insert into profile.pictures (hash, member_id, uses, unused_since)
        values ($1, $2, 0, $3)
        on conflict (hash) do update
        set unused_since = excluded.unused_since
        where pictures.uses = 0",
        name.hash(),
        member,
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a claimed picture into use.
///
/// # Errors
/// [`Error::PictureSwept`] when it took so long that the sweeper came first.
pub async fn take(conn: &mut PgConnection, name: &Name, member: Uuid) -> Result<(), Error> {
    let done = sqlx::query!(
        "update profile.pictures
        set uses = uses + 1, unused_since = null
        where hash = $1
            and member_id = $2",
        name.hash(),
        member,
    )
    .execute(conn)
    .await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(Error::PictureSwept) }
}

/// Gives up one use of a picture.
///
/// # Errors
/// When the database is away.
pub async fn release(conn: &mut PgConnection, name: &Name, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update profile.pictures
        set uses = uses - 1, unused_since = case when uses = 1 then $2::timestamptz end
        where hash = $1
            and uses > 0",
        name.hash(),
        now,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Sweeps every few minutes until the process stops.
pub fn work(context: &ServiceContext, db: &PgPool, pictures: &Pictures) {
    let (db, pictures, clock) = (db.clone(), pictures.clone(), context.clock.clone());
    context.tasks.spawn("unused pictures", move |stopped| {
        let (db, pictures, clock): (PgPool, Pictures, Clock) = (db.clone(), pictures.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(SWEEP_EVERY) => sweep(&db, &pictures, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes every object that has had no use for an hour, and its row. Says how many there were.
///
/// # Errors
/// When the database or the store is away; what was not done is done next time.
pub async fn sweep(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<u32, Error> {
    let mut swept = 0;
    while sweep_one(db, pictures, now).await? {
        swept += 1;
    }
    Ok(swept)
}

/// The row is locked until its object is gone: whoever claims the same picture meanwhile waits, and puts it anew.
async fn sweep_one(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<bool, Error> {
    let mut tx = db::begin(db).await?;
    let unused = sqlx::query_scalar!(
        "select hash
        from profile.pictures
        where uses = 0
            and unused_since < $1
        order by unused_since
        limit 1
        for update skip locked",
        now - KEPT,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(hash) = unused else { return Ok(false) };
    if let Some(name) = Name::from_hash(&hash) {
        pictures.delete(&name).await?;
    }
    sqlx::query!(
        "delete from profile.pictures
        where hash = $1",
        hash,
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(true)
}
