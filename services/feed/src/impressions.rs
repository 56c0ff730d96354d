//! How often posts are shown to others: noted in memory while pages are read, written in one statement now and then.
//!
//! A process that is killed loses what it has noted since; one that stops in order loses nothing.

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

use crate::{error::Error, posts::Post};

/// Notes that may wait to be written; further ones are dropped and counted.
pub const ROOM: usize = 10_000;
/// Notes remembered after they were written, so that a page read again costs the database nothing.
const KNOWN: usize = 50_000;
/// How often they are written.
const WRITE_EVERY: Duration = Duration::from_secs(3);
/// Full days after which a row has done its work: it keeps a viewer from being counted twice on its own day only.
const KEPT: Days = Days::new(2);
/// How often old rows are pruned, and how many in a transaction.
const PRUNE_EVERY: Duration = Duration::from_mins(10);
const PRUNED_AT_ONCE: i64 = 5_000;

/// A post was shown to somebody on a day.
#[derive(Clone, Copy, Debug)]
struct Shown {
    day: NaiveDate,
    viewer_id: Uuid,
    post_id: Uuid,
}

#[derive(Debug, Default)]
struct Notes {
    day: NaiveDate,
    waiting: Vec<Shown>,
    /// (viewer, post) of `day`.
    known: HashSet<(Uuid, Uuid)>,
}

/// What was shown to whom since the last write. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Impressions(Arc<Mutex<Notes>>);

impl Impressions {
    /// Notes that posts were shown. A visitor is nobody, and to their author they are not shown.
    pub fn note(&self, viewer: Option<Uuid>, posts: &[Post], at: DateTime<Utc>) {
        let Some(viewer_id) = viewer else { return };
        let (day, mut dropped) = (at.date_naive(), 0);
        let mut notes = self.notes();
        if notes.day != day || notes.known.len() >= KNOWN {
            notes.known.clear();
            notes.day = day;
        }
        for post in posts.iter().filter(|post| post.author_id != viewer_id) {
            let seen = (viewer_id, post.id);
            if notes.waiting.len() < ROOM {
                if notes.known.insert(seen) {
                    notes.waiting.push(Shown { day, viewer_id, post_id: post.id });
                }
            } else if !notes.known.contains(&seen) {
                dropped += 1;
            }
        }
        drop(notes);
        count_dropped(dropped);
    }

    /// Writes what was noted. What cannot be written is noted still, as far as there is room.
    ///
    /// # Errors
    /// As any statement.
    pub async fn write(&self, db: &PgPool) -> Result<(), sqlx::Error> {
        let batch = mem::take(&mut self.notes().waiting);
        if batch.is_empty() {
            return Ok(());
        }
        let written = write(db, &batch).await;
        if written.is_err() {
            self.keep(batch);
        }
        written
    }

    /// Writes every few seconds until the process stops, and once more then; prunes beside it.
    pub fn work(&self, context: &ServiceContext, db: &PgPool) {
        describe_counter!("feed_impressions_dropped_total", "Impressions that found no room to wait in");
        let (notes, pool) = (self.clone(), db.clone());
        context.tasks.spawn("impressions", move |stopped| {
            let (notes, pool) = (notes.clone(), pool.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(notes.write(&pool).await?),
                        () = tokio::time::sleep(WRITE_EVERY) => notes.write(&pool).await?,
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
                        () = tokio::time::sleep(PRUNE_EVERY) => prune(&pool, &clock).await?,
                    }
                }
            }
        });
    }

    fn keep(&self, mut batch: Vec<Shown>) {
        let mut notes = self.notes();
        batch.append(&mut notes.waiting);
        let dropped = batch.len().saturating_sub(ROOM);
        batch.truncate(ROOM);
        notes.waiting = batch;
        drop(notes);
        count_dropped(dropped);
    }

    /// A panic cannot leave notes half made.
    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_dropped(dropped: usize) {
    if dropped > 0 {
        counter!("feed_impressions_dropped_total").increment(dropped as u64);
    }
}

/// Adds the rows that are new, and counts exactly those. Both parts go in an order of ids, so that replicas which write
/// the same rows at once wait for each other, and never in a circle.
async fn write(db: &PgPool, batch: &[Shown]) -> Result<(), sqlx::Error> {
    let days: Vec<NaiveDate> = batch.iter().map(|shown| shown.day).collect();
    let viewers: Vec<Uuid> = batch.iter().map(|shown| shown.viewer_id).collect();
    let posts: Vec<Uuid> = batch.iter().map(|shown| shown.post_id).collect();
    sqlx::query!(
        "
        with fresh as (
            insert into feed.impressions (day, viewer_id, post_id)
            select day, viewer_id, post_id
            from unnest($1::date[], $2::uuid[], $3::uuid[]) as shown (day, viewer_id, post_id)
            order by day, viewer_id, post_id
            on conflict (day, viewer_id, post_id) do nothing
            returning post_id
        ),
        counted as (
            select post_id, count(*) as n
            from fresh
            group by post_id
        )
        insert into feed.author_stats as s (member_id, impressions)
        select p.author_id, sum(c.n)
        from counted c
        join feed.posts p on p.id = c.post_id
        -- Not of a post that was just taken away (src/removal.rs).
        where p.author_id <> '00000000-0000-0000-0000-000000000000'
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

/// Deletes rows older than two days, a bounded number in a transaction. The counters stay.
///
/// # Errors
/// As any statement.
pub async fn prune(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    loop {
        let pruned = sqlx::query!(
            "
            delete from feed.impressions
            where (day, viewer_id, post_id) in (
                select day, viewer_id, post_id
                from feed.impressions
                where day < $1
                order by day
                limit $2
                for update skip locked
            )
            ",
            clock.now().date_naive() - KEPT,
            PRUNED_AT_ONCE
        )
        .execute(db)
        .await?;
        if pruned.rows_affected() == 0 {
            return Ok(());
        }
    }
}

/// The days there may be rows of. The day leads the key, so a viewer's rows are looked up day by day; asked for the
/// viewer alone, Postgres reads the whole table.
///
/// # Errors
/// As any statement.
pub async fn days(conn: &mut PgConnection) -> Result<impl Iterator<Item = NaiveDate> + Send + use<>, sqlx::Error> {
    let kept = sqlx::query!("select min(day) as first, max(day) as last from feed.impressions").fetch_one(conn).await?;
    let days = kept.first.into_iter().flat_map(|first| first.iter_days());
    Ok(days.take_while(move |day| Some(*day) <= kept.last))
}

/// How often a member's posts were shown to others, as far as it is written.
///
/// # Errors
/// As any statement.
pub async fn of(conn: &mut PgConnection, member_id: Uuid) -> Result<i64, Error> {
    let counted = sqlx::query_scalar!("select impressions from feed.author_stats where member_id = $1", member_id)
        .fetch_optional(conn)
        .await?;
    Ok(counted.unwrap_or(0))
}
