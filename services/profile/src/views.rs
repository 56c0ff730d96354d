//! Profile views: buffered in memory and written in batches. A killed process loses one batch.

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

/// Further views are dropped and counted in a metric.
pub const CAPACITY: usize = 10_000;
const WRITE_INTERVAL: Duration = Duration::from_secs(3);
/// The age at which rows are pruned. The counter on the member stays.
const RETENTION: Days = Days::new(90);
const PRUNE_INTERVAL: Duration = Duration::from_mins(10);
const PRUNE_BATCH: i64 = 5_000;

/// A view of a profile on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The viewed member.
    pub member_id: Uuid,
    /// The viewer.
    pub viewer_id: Uuid,
    /// In UTC.
    pub day: NaiveDate,
}

/// The views since the last write. Clones share the buffer.
#[derive(Clone, Debug, Default)]
pub struct ViewBuffer(Arc<Mutex<HashSet<View>>>);

impl ViewBuffer {
    /// Adds a view unless the buffer is full. A member's view of the own profile does not count.
    pub fn record(&self, view: View) {
        if view.viewer_id == view.member_id {
            return;
        }
        let mut buffer = self.lock();
        let dropped = buffer.len() >= CAPACITY && !buffer.contains(&view);
        if !dropped {
            buffer.insert(view);
        }
        drop(buffer);
        count_dropped(usize::from(dropped));
    }

    /// Writes the buffered views. After an error they return to the buffer, up to its capacity.
    pub async fn write(&self, db: &PgPool) -> Result<(), sqlx::Error> {
        let batch: Vec<View> = mem::take(&mut *self.lock()).into_iter().collect();
        if batch.is_empty() {
            return Ok(());
        }
        let written = write(db, &batch).await;
        if written.is_err() {
            let mut buffer = self.lock();
            let free = CAPACITY.saturating_sub(buffer.len());
            let dropped = batch.len().saturating_sub(free);
            buffer.extend(batch.into_iter().take(free));
            drop(buffer);
            count_dropped(dropped);
        }
        written
    }

    /// Starts the tasks that write and prune. The first writes once more when the process stops.
    pub fn spawn_tasks(&self, context: &ServiceContext, db: &PgPool) {
        describe_counter!("profile_views_dropped_total", "Profile views dropped because the buffer was full");
        let (views, pool) = (self.clone(), db.clone());
        context.tasks.spawn("profile views", move |stopped| {
            let (views, pool) = (views.clone(), pool.clone());
            async move {
                loop {
                    tokio::select! {
                        () = stopped.cancelled() => return Ok(views.write(&pool).await?),
                        () = tokio::time::sleep(WRITE_INTERVAL) => views.write(&pool).await?,
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
                        () = tokio::time::sleep(PRUNE_INTERVAL) => prune(&pool, clock.now().date_naive()).await?,
                    }
                }
            }
        });
    }

    /// A panic leaves the set consistent, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, HashSet<View>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count_dropped(dropped: usize) {
    if dropped > 0 {
        counter!("profile_views_dropped_total").increment(dropped as u64);
    }
}

/// Inserts the new rows and counts exactly those, in a table of their own: the version of a profile stays. Members, views and counts
/// are locked in the order of their ids, which excludes deadlocks between replicas. A viewer erased concurrently fails the batch by
/// the foreign key; the retry leaves that viewer out.
async fn write(db: &PgPool, batch: &[View]) -> Result<(), sqlx::Error> {
    let members: Vec<Uuid> = batch.iter().map(|view| view.member_id).collect();
    let viewers: Vec<Uuid> = batch.iter().map(|view| view.viewer_id).collect();
    let days: Vec<NaiveDate> = batch.iter().map(|view| view.day).collect();
    sqlx::query!(
        "with locked as materialized (
            select id
            from profile.members
            where id = any($1)
            order by id
            for key share
        ),
        inserted as (
            insert into profile.views (member_id, viewer_id, day)
            select batch.member_id, batch.viewer_id, batch.day
            from unnest($1::uuid[], $2::uuid[], $3::date[]) as batch (member_id, viewer_id, day)
            where batch.member_id in (select id from locked)
                and exists (select from profile.members v where v.id = batch.viewer_id)
            order by batch.member_id, batch.day, batch.viewer_id
            on conflict (member_id, day, viewer_id) do nothing
            returning member_id
        )
        insert into profile.view_counts as c (member_id, n)
        select member_id, count(*)
        from inserted
        group by member_id
        order by member_id
        on conflict (member_id) do update
        set n = c.n + excluded.n",
        &members,
        &viewers,
        &days,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes old rows in batches.
pub async fn prune(db: &PgPool, today: NaiveDate) -> Result<(), sqlx::Error> {
    let Some(oldest) = today.checked_sub_days(RETENTION) else { return Ok(()) };
    loop {
        let pruned = sqlx::query!(
            "delete from profile.views
            where (member_id, day, viewer_id) in (
                select member_id, day, viewer_id
                from profile.views
                where day < $1
                limit $2
            )",
            oldest,
            PRUNE_BATCH,
        )
        .execute(db)
        .await?;
        if pruned.rows_affected() == 0 {
            return Ok(());
        }
    }
}
