//! Deletes uploads that no message took within a day, and expired copies of reported attachments.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use primitives::clock::Clock;
use sqlx::PgPool;

use super::{RETENTION, reported};
use crate::error::Error;

const CLEANUP_INTERVAL: Duration = Duration::from_mins(5);
/// The number of uploads that one statement deletes.
const BATCH: i64 = 20;

/// Deletes unused uploads and expired copies every few minutes until the process stops.
pub fn spawn(context: &ServiceContext, db: &PgPool) {
    let (db, clock) = (db.clone(), context.clock.clone());
    context.tasks.spawn("unused attachments", move |stopped| {
        let (db, clock): (PgPool, Clock) = (db.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(CLEANUP_INTERVAL) => {}
                };
                delete_unused(&db, clock.now()).await?;
                delete_expired_copies(&db, clock.now()).await?;
            }
        }
    });
}

/// Deletes every unused upload. Returns their number.
///
/// # Errors
/// When a statement fails.
pub async fn delete_unused(db: &PgPool, now: DateTime<Utc>) -> Result<u64, Error> {
    let mut all = 0;
    loop {
        let deleted = sqlx::query!(
            "delete from messaging.attachments
            where id in (
                select id
                from messaging.attachments
                where message_id is null
                    and uploaded_at <= $1
                order by uploaded_at
                limit $2
                for update skip locked
            )",
            now - RETENTION,
            BATCH,
        );
        let deleted = deleted.execute(db).await?.rows_affected();
        all += deleted;
        if deleted == 0 {
            return Ok(all);
        }
    }
}

/// Deletes every expired copy of a reported attachment.
///
/// # Errors
/// When a statement fails.
pub async fn delete_expired_copies(db: &PgPool, now: DateTime<Utc>) -> Result<(), Error> {
    let mut connection = db.acquire().await?;
    while reported::delete_expired_batch(&mut connection, now).await? > 0 {}
    Ok(())
}
