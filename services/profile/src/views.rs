//! Who looked at whom: noted in memory, written in one statement every few seconds. A killed process loses one batch.

use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chassis::ServiceContext;
use chrono::{Days, NaiveDate};
use metrics::{counter, describe_counter};
use primitives::clock::Clock;
use sqlx::PgPool;
use uuid::Uuid;

/// Views that may wait to be written; further ones are dropped and counted.
pub const ROOM: usize = 10_000;
const WRITE_EVERY: Duration = Duration::from_secs(3);
/// How long rows are kept. The counter stays.
const KEPT: Days = Days::new(90);
const PRUNE_EVERY: Duration = Duration::from_mins(10);
const PRUNED_AT_ONCE: i64 = 5_000;

/// Somebody looked at a profile on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Whose profile.
    pub member_id: Uuid,
    /// Who looked.
    pub viewer_id: Uuid,
    /// When, in UTC.
    pub day: NaiveDate,
}

/// What was noted since the last write. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Views(Arc<Mutex<HashSet<View>>>);

impl Views {
    /// Notes a view, while there is room. One's own is none.
    pub fn note(&self, view: View) {
        if view.viewer_id == view.member_id {
            return;
        }
        let mut noted = self.noted();
        let dropped = noted.len() >= ROOM && !noted.contains(&view);
        if !dropped {
            noted.insert(view);
        }
        drop(noted);
        count_dropped(usize::from(dropped));
    }

    /// Writes what was noted. What cannot be written is noted still, as far as there is room.
    ///
    /// # Errors
    /// As any statement.
    pub async fn write(&self, db: &PgPool) -> Result<(), sqlx::Error> {
        let batch: Vec<View> = mem::take(&mut *self.noted()).into_iter().collect();
        if batch.is_empty() {
            return Ok(());
        }
        let written = write(db, &batch).await;
        if written.is_err() {
            let mut noted = self.noted();
            let room = ROOM.saturating_sub(noted.len());
            let dropped = batch.len().saturating_sub(room);
            noted.extend(batch.into_iter().take(room));
            drop(noted);
            count_dropped(dropped);
        }
        written
    }

    /// Writes every few seconds until the process stops, and once more then; prunes beside it.
    pub fn work(&self, context: &ServiceContext, db: &PgPool) {
        describe_counter!("profile_views_dropped_total", "Profile views that found no room to wait in");
        let (views, pool) = (self.clone(), db.clone());
        context.tasks.spawn("profile views", move |stopped| {
            let (views, pool) = (views.clone(), pool.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(views.write(&pool).await?),
                        () = tokio::time::sleep(WRITE_EVERY) => views.write(&pool).await?,
                    }
                }
            }
        });
        let (pool, clock) = (db.clone(), context.clock.clone());
        context.tasks.spawn("old profile views", move |stopped| {
            let (pool, clock): (PgPool, Clock) = (pool.clone(), clock.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(()),
                        () = tokio::time::sleep(PRUNE_EVERY) => prune(&pool, clock.now().date_naive()).await?,
                    }
                }
            }
        });
    }

    /// A panic cannot leave them half noted.
    fn noted(&self) -> MutexGuard<'_, HashSet<View>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_dropped(dropped: usize) {
    if dropped > 0 {
        counter!("profile_views_dropped_total").increment(dropped as u64);
    }
}

/// Adds the rows that are new, and counts exactly those. Counters are locked in the order of their ids, so that replicas
/// which write at once wait for each other and never in a circle. A viewer erased meanwhile fails the batch by its foreign
/// key; the next one leaves them out.
async fn write(db: &PgPool, batch: &[View]) -> Result<(), sqlx::Error> {
    let members: Vec<Uuid> = batch.iter().map(|view| view.member_id).collect();
    let viewers: Vec<Uuid> = batch.iter().map(|view| view.viewer_id).collect();
    let days: Vec<NaiveDate> = batch.iter().map(|view| view.day).collect();
    sqlx::query!(
        "with there as materialized (
            select id
            from profile.members
            where id = any($1)
            order by id
            for no key update
        ),
        added as (
            insert into profile.views (member_id, viewer_id, day)
            select noted.member_id, noted.viewer_id, noted.day
            from unnest($1::uuid[], $2::uuid[], $3::date[]) as noted (member_id, viewer_id, day)
            where noted.member_id in (select id from there)
                and exists (select from profile.members v where v.id = noted.viewer_id)
            on conflict (member_id, day, viewer_id) do nothing
            returning member_id
        ),
        counted as (
            select member_id, count(*) as n
            from added
            group by member_id
        )
        update profile.members m
        set view_count = m.view_count + counted.n
        from counted
        where m.id = counted.member_id",
        &members,
        &viewers,
        &days,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the rows of days long past, a bounded number at a time.
///
/// # Errors
/// As any statement.
pub async fn prune(db: &PgPool, today: NaiveDate) -> Result<(), sqlx::Error> {
    let Some(first_kept) = today.checked_sub_days(KEPT) else { return Ok(()) };
    loop {
        let pruned = sqlx::query!(
            "delete from profile.views
            where (member_id, day, viewer_id) in (
                select member_id, day, viewer_id
                from profile.views
                where day < $1
                limit $2
            )",
            first_kept,
            PRUNED_AT_ONCE,
        )
        .execute(db)
        .await?;
        if pruned.rows_affected() == 0 {
            return Ok(());
        }
    }
}
