//! The uses of the objects in the picture store, so that a crash leaves no unused object behind.
//!
//! An upload claims the object's name in its own transaction, puts the object, and acquires a use in the transaction of
//! the update. The cleanup deletes objects that are unused for an hour: first the object, then the row.
//!
//! The object of a picture outlives its use, and a hidden member keeps the object for the time when the account is
//! reopened. The gateway therefore asks before it sends a picture ([`is_visible`]).

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use picture_store::{Name, Pictures};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// The lifetime of an unused object, longer than any upload takes.
const UNUSED_LIFETIME: TimeDelta = TimeDelta::hours(1);
const CLEANUP_INTERVAL: Duration = Duration::from_mins(5);

/// Inserts the row before the object is put.
pub async fn claim(db: &mut PgConnection, name: &Name, member: Uuid, now: DateTime<Utc>) -> Result<(), Error> {
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
    .execute(db)
    .await?;
    Ok(())
}

/// Adds a use of a claimed picture.
///
/// # Errors
/// [`Error::PictureDeleted`] when the cleanup deleted it first.
pub async fn acquire(db: &mut PgConnection, name: &Name, member: Uuid) -> Result<(), Error> {
    let done = sqlx::query!(
        "update profile.pictures
        set uses = uses + 1, unused_since = null
        where hash = $1
            and member_id = $2",
        name.hash(),
        member,
    )
    .execute(db)
    .await?;
    if done.rows_affected() == 1 { Ok(()) } else { Err(Error::PictureDeleted) }
}

/// Removes a use of a picture.
pub async fn release(db: &mut PgConnection, name: &Name, now: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "update profile.pictures
        set uses = uses - 1, unused_since = case when uses = 1 then $2::timestamptz end
        where hash = $1
            and uses > 0",
        name.hash(),
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether the viewer (`None`: a visitor) may see a picture. It must be the present picture of a member who is not
/// hidden and whose audience includes the viewer. As with cards, a block does not matter.
///
/// # Errors
/// When the database is unavailable.
pub async fn is_visible(db: &mut PgConnection, name: &Name, viewer: Option<Uuid>) -> Result<bool, Error> {
    let visible = sqlx::query_scalar!(
        r#"select exists (
            select
            from profile.pictures p
            join profile.members m on m.id = p.member_id
            where p.hash = $1
                and m.avatar_url = $2
                and not m.hidden
                and case m.profile_audience
                    when 'public' then true
                    when 'members' then $3::uuid is not null
                    else coalesce(m.id = $3, false) or exists (
                        select from profile.connections
                        where lower_id = least(m.id, $3)
                            and upper_id = greatest(m.id, $3)
                    )
                end
        ) as "visible!""#,
        name.hash(),
        name.address(),
        viewer,
    );
    Ok(visible.fetch_one(db).await?)
}

/// Starts the task that deletes unused pictures.
pub fn spawn_cleanup(context: &ServiceContext, db: &PgPool, pictures: &Pictures) {
    let (db, pictures, clock) = (db.clone(), pictures.clone(), context.clock.clone());
    context.tasks.spawn("unused pictures", move |stopped| {
        let (db, pictures, clock): (PgPool, Pictures, Clock) = (db.clone(), pictures.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(CLEANUP_INTERVAL) => delete_unused(&db, &pictures, clock.now()).await?,
                };
            }
        }
    });
}

/// Deletes the objects that are unused for an hour, with their rows. Returns their number.
///
/// # Errors
/// When the database or the store is unavailable. The next call continues.
pub async fn delete_unused(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<u32, Error> {
    let mut deleted = 0;
    while delete_next(db, pictures, now).await? {
        deleted += 1;
    }
    Ok(deleted)
}

/// Locks the row until the object is deleted: a concurrent claim of the same picture waits and then puts it again.
async fn delete_next(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<bool, Error> {
    let mut tx = db::begin(db).await?;
    let unused = sqlx::query_scalar!(
        "select hash
        from profile.pictures
        where uses = 0
            and unused_since < $1
        order by unused_since
        limit 1
        for update skip locked",
        now - UNUSED_LIFETIME,
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
