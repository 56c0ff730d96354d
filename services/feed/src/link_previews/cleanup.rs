//! Deletes previews that no post uses, with their pictures.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use picture_store::{Name, Pictures};
use primitives::clock::Clock;
use sqlx::PgPool;

use super::quota;
use crate::error::Error;

/// The time for which a preview in the composer stays without a post.
const RETENTION: TimeDelta = TimeDelta::hours(1);
const CLEANUP_INTERVAL: Duration = Duration::from_mins(5);

/// Deletes unused previews every few minutes until the process stops.
pub(super) fn spawn(context: &ServiceContext, db: &PgPool, pictures: &Pictures) {
    let (db, pictures, clock) = (db.clone(), pictures.clone(), context.clock.clone());
    context.tasks.spawn("unused link previews", move |stopped| {
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

/// Deletes every unused preview. Returns their number. After an error, the next call continues.
///
/// # Errors
/// When the database or the picture store is unavailable.
pub async fn delete_unused(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<u32, Error> {
    quota::delete_expired(db, now).await?;
    let mut deleted = 0;
    while let Some(is_deleted) = check_one(db, pictures, now).await? {
        deleted += u32::from(is_deleted);
    }
    Ok(deleted)
}

/// Checks one row; returns `None` when no row is left. The lock lasts until the objects are deleted: a new post waits
/// for it and then inserts a new row.
async fn check_one(db: &PgPool, pictures: &Pictures, now: DateTime<Utc>) -> Result<Option<bool>, Error> {
    let mut tx = db::begin(db).await?;
    let row = sqlx::query!(
        r#"
        select l.id, l.pictures, exists (select from feed.posts p where p.link_preview_id = l.id) as "is_used!"
        from feed.link_previews l
        where l.check_at <= $1
        order by l.check_at
        limit 1
        for update of l skip locked
        "#,
        now - RETENTION
    );
    let Some(row) = row.fetch_optional(&mut *tx).await? else { return Ok(None) };
    if row.is_used {
        sqlx::query!("update feed.link_previews set check_at = null where id = $1", row.id).execute(&mut *tx).await?;
    } else {
        for name in row.pictures.iter().filter_map(|hash| Name::from_hash(hash)) {
            pictures.delete(&name).await?;
        }
        sqlx::query!("delete from feed.link_previews where id = $1", row.id).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(Some(!row.is_used))
}
