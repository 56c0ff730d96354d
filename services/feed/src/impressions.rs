//! Impressions: how often a post was shown to other members. Buffered in memory and written every few seconds in one
//! statement. A killed process loses its buffer; a stopped one writes it.

use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chassis::ServiceContext;
use chrono::{DateTime, Days, NaiveDate, Utc};
use metrics::{counter, describe_counter};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// The capacity of the buffer. Further impressions are dropped and counted.
pub const CAPACITY: usize = 10_000;
/// The number of written impressions to remember, so that a page that is read again causes no second write.
const MAX_KNOWN: usize = 50_000;
const WRITE_INTERVAL: Duration = Duration::from_secs(3);
/// Full days for which a row is stored. It prevents a second count on its own day only.
const RETENTION: Days = Days::new(2);
/// The interval at which old rows are deleted, and the number for one transaction.
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);
const PRUNE_BATCH: i64 = 5_000;

/// A post was shown to a viewer on a day.
struct Impression {
    day: NaiveDate,
    viewer_id: Uuid,
    post_id: Uuid,
}

#[derive(Default)]
struct Buffer {
    day: NaiveDate,
    pending: Vec<Impression>,
    /// (viewer, post) of `day`.
    known: HashSet<(Uuid, Uuid)>,
}

/// The impressions since the last write. Clones share the buffer.
#[derive(Clone, Default)]
pub struct ImpressionBuffer(Arc<Mutex<Buffer>>);

impl ImpressionBuffer {
    /// Records that posts, as (author, post), were shown to a viewer. Visitors and the author do not count.
    pub fn record(&self, viewer: Option<Uuid>, posts: impl Iterator<Item = (Uuid, Uuid)>, at: DateTime<Utc>) {
        let Some(viewer_id) = viewer else { return };
        let (day, mut dropped) = (at.date_naive(), 0);
        let mut buffer = self.lock();
        if buffer.day != day || buffer.known.len() >= MAX_KNOWN {
            buffer.known.clear();
            buffer.day = day;
        }
        for (_, post_id) in posts.filter(|(author, _)| *author != viewer_id) {
            let seen = (viewer_id, post_id);
            if buffer.pending.len() < CAPACITY {
                if buffer.known.insert(seen) {
                    buffer.pending.push(Impression { day, viewer_id, post_id });
                }
            } else if !buffer.known.contains(&seen) {
                dropped += 1;
            }
        }
        drop(buffer);
        count_dropped(dropped);
    }

    /// Writes the buffer. After an error the impressions are buffered again, up to the capacity.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn write(&self, db: &PgPool) -> Result<(), sqlx::Error> {
        let batch = mem::take(&mut self.lock().pending);
        if batch.is_empty() {
            return Ok(());
        }
        let written = write(db, &batch).await;
        if written.is_err() {
            self.restore(batch);
        }
        written
    }

    /// Writes the buffer every few seconds and when the process stops; deletes old rows.
    pub fn spawn_tasks(&self, context: &ServiceContext, db: &PgPool) {
        describe_counter!("feed_impressions_dropped_total", "Impressions dropped because the buffer was full");
        let (buffer, pool) = (self.clone(), db.clone());
        context.tasks.spawn("impressions", move |stopped| {
            let (buffer, pool) = (buffer.clone(), pool.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(buffer.write(&pool).await?),
                        () = tokio::time::sleep(WRITE_INTERVAL) => buffer.write(&pool).await?,
                    }
                }
            }
        });
        let (pool, clock) = (db.clone(), context.clock.clone());
        context.tasks.spawn("old impressions", move |stopped| {
            let (pool, clock) = (pool.clone(), clock.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = tokio::time::sleep(PRUNE_INTERVAL) => prune(&pool, &clock).await?,
                    }
                }
            }
        });
    }

    fn restore(&self, mut batch: Vec<Impression>) {
        let mut buffer = self.lock();
        batch.append(&mut buffer.pending);
        let dropped = batch.len().saturating_sub(CAPACITY);
        batch.truncate(CAPACITY);
        buffer.pending = batch;
        drop(buffer);
        count_dropped(dropped);
    }

    /// Locks the buffer, ignoring poison: a panic cannot leave the buffer half changed.
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_dropped(dropped: usize) {
    if dropped > 0 {
        counter!("feed_impressions_dropped_total").increment(dropped as u64);
    }
}

/// Inserts the new rows and adds them to the counters. Both parts are ordered by id, so that replicas that write the same
/// rows concurrently cannot deadlock.
async fn write(db: &PgPool, batch: &[Impression]) -> Result<(), sqlx::Error> {
    let days: Vec<NaiveDate> = batch.iter().map(|row| row.day).collect();
    let viewers: Vec<Uuid> = batch.iter().map(|row| row.viewer_id).collect();
    let posts: Vec<Uuid> = batch.iter().map(|row| row.post_id).collect();
    sqlx::query!(
        "
        with inserted as (
            insert into feed.impressions (day, viewer_id, post_id)
            select day, viewer_id, post_id
            from unnest($1::date[], $2::uuid[], $3::uuid[]) as shown (day, viewer_id, post_id)
            order by day, viewer_id, post_id
            on conflict (day, viewer_id, post_id) do nothing
            returning post_id
        ),
        counts as (
            select post_id, count(*) as n
            from inserted
            group by post_id
        )
        insert into feed.author_stats as s (member_id, impressions)
        select p.author_id, sum(c.n)
        from counts c
        join feed.posts p on p.id = c.post_id
        -- Deleted posts have no author (src/posts/delete.rs).
        where p.author_id > '00000000-0000-0000-0000-000000000001'
        group by p.author_id
        order by p.author_id
        on conflict (member_id) do update
        set impressions = s.impressions + excluded.impressions
        ",
        &days,
        &viewers,
        &posts
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes rows older than two days, in batches. The counters stay. Takes no locks first: Citus refuses locks on rows
/// of several shards, and of two concurrent replicas the later one finds nothing.
///
/// # Errors
/// When a statement fails.
pub async fn prune(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    loop {
        let deleted = sqlx::query!(
            "
            delete from feed.impressions
            where (day, viewer_id, post_id) in (
                select day, viewer_id, post_id
                from feed.impressions
                where day < $1
                order by day
                limit $2
            )
            ",
            clock.now().date_naive() - RETENTION,
            PRUNE_BATCH
        )
        .execute(db)
        .await?;
        if deleted.rows_affected() == 0 {
            return Ok(());
        }
    }
}

/// Returns the days that may have rows. The key begins with the day, so the caller reads a viewer's rows day by day:
/// without the day, Postgres reads the whole table.
pub async fn days(db: &mut PgConnection) -> Result<impl Iterator<Item = NaiveDate> + Send + use<>, sqlx::Error> {
    let range = sqlx::query!("select min(day) as first, max(day) as last from feed.impressions").fetch_one(db).await?;
    let days = range.first.into_iter().flat_map(|first| first.iter_days());
    Ok(days.take_while(move |day| Some(*day) <= range.last))
}

/// Returns the number of written impressions of a member's posts.
pub async fn count(db: &mut PgConnection, member_id: Uuid) -> Result<i64, Error> {
    let count = sqlx::query_scalar!("select impressions from feed.author_stats where member_id = $1", member_id)
        .fetch_optional(db)
        .await?;
    Ok(count.unwrap_or(0))
}
