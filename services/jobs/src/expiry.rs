//! Closes postings: after their deadline, when successful crawls miss them, when an operator removes them, and when
//! they belong to the demo and there are real ones.
//!
//! Every transaction that opens or closes postings locks the openings (one row), after the source of the crawl and before
//! any posting.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use db::begin;
use outbox::{Changes, UnitOfWork};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    error::Error,
    postings::listings,
    publishing,
    sources::LeasedSource,
    stats::{self, Sign},
};

/// Consecutive successful crawls without a posting that close it.
const MISSES_TO_CLOSE: i16 = 2;
/// How often deadlines are checked. Lists omit expired postings at once.
const INTERVAL: Duration = Duration::from_secs(60);
/// Expired postings that one transaction closes.
const BATCH: i64 = 100;
/// The age after which a posting beyond the window of its feed counts as missed.
const MAX_AGE_OUTSIDE_FEED: TimeDelta = TimeDelta::days(60);
/// How long postings of a removed source stay, counted from its last successful crawl.
const ORPHAN_RETENTION: TimeDelta = TimeDelta::days(30);

/// Locks the openings until the transaction ends.
///
/// # Errors
/// When the statement fails.
pub async fn lock_openings(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("select id from jobs.openings where id = 2 for update").fetch_one(db).await?;
    Ok(())
}

/// Applies a complete crawl: counts a miss for every open posting of the source that it did not contain, closes
/// postings with enough misses, and returns their number. A feed reaches back to `reach`; older postings count as
/// missed after [`MAX_AGE_OUTSIDE_FEED`]. The caller has locked the source.
///
/// # Errors
/// When a statement fails.
pub async fn record_misses(
    work: &mut UnitOfWork<'_>,
    leased: &LeasedSource,
    seen: &[Uuid],
    reach: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    extend_timeout(work.db).await?;
    lock_openings(work.db).await?;
    sqlx::query!(
        "update jobs.postings
        set misses = 0
        where id = any($1)
            and misses > 0",
        seen,
    )
    .execute(&mut *work.db)
    .await?;
    let missed = sqlx::query_scalar!(
        "with missed as (
            update jobs.postings p
            set misses = p.misses + 1
            where p.source_id = $1
                and p.closed_at is null
                and p.misses < $3
                and (p.posted_at >= $4 or p.posted_at <= $5)
                and not exists (select from unnest($2::uuid[]) as seen (id) where seen.id = p.id)
            returning p.id, p.misses
        )
        select id
        from missed
        where misses = $3
        order by id",
        leased.id(),
        seen,
        MISSES_TO_CLOSE,
        reach,
        work.now - MAX_AGE_OUTSIDE_FEED,
    );
    let missed = missed.fetch_all(&mut *work.db).await?;
    close(work, &missed).await
}

/// Applies a crawl without changes: postings missed by the previous crawl are missed again.
///
/// # Errors
/// When a statement fails.
pub async fn repeat_misses(work: &mut UnitOfWork<'_>, leased: &LeasedSource) -> Result<i32, sqlx::Error> {
    extend_timeout(work.db).await?;
    lock_openings(work.db).await?;
    let missed = sqlx::query_scalar!(
        "update jobs.postings
        set misses = $2
        where source_id = $1
            and closed_at is null
            and misses > 0
            and misses < $2
        returning id",
        leased.id(),
        MISSES_TO_CLOSE,
    );
    let missed = missed.fetch_all(&mut *work.db).await?;
    close(work, &missed).await
}

/// Extends the timeout. Thousands of postings may disappear at once, which takes longer than a request may.
async fn extend_timeout(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("set local statement_timeout = '30s'").execute(db).await?;
    Ok(())
}

/// Closes postings, notifies their applicants, and schedules the demo when no real posting is left. Returns how many were
/// open. The caller has locked the openings.
async fn close(work: &mut UnitOfWork<'_>, postings: &[Uuid]) -> Result<i32, sqlx::Error> {
    if postings.is_empty() {
        return Ok(0);
    }
    stats::adjust(work.db, postings, Sign::Removed).await?;
    listings::remove(work.db, postings).await?;
    let closed = sqlx::query_scalar!(
        "update jobs.postings
        set closed_at = $2
        where id = any($1)
            and closed_at is null
        returning id",
        postings,
        work.now,
    );
    let closed = closed.fetch_all(&mut *work.db).await?;
    // After the rows are locked, so that concurrent applications are included.
    publishing::publish_applied_postings_closed(work, &closed).await?;
    schedule_demo(work.db, work.now).await?;
    Ok(i32::try_from(closed.len()).unwrap_or(i32::MAX))
}

/// Removes a posting, open or closed, so that no crawl opens it again, and returns its title. The caller has locked the
/// openings.
///
/// # Errors
/// [`Error::JobNotFound`].
pub async fn remove(work: &mut UnitOfWork<'_>, id: Uuid) -> Result<String, Error> {
    let removed = sqlx::query_scalar!(
        "update jobs.postings
        set removed_at = coalesce(removed_at, $2)
        where id = $1
        returning title",
        id,
        work.now,
    );
    let title = removed.fetch_optional(&mut *work.db).await?.ok_or(Error::JobNotFound)?;
    close(work, &[id]).await?;
    Ok(title)
}

/// Makes the demo due when no posting is open. Its crawl locks the source before the openings, which the caller has: a locked
/// source is skipped to avoid a deadlock, and tried again within a minute.
async fn schedule_demo(db: &mut PgConnection, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update jobs.sources
        set due_at = $1
        where id in (
            select id
            from jobs.sources
            where connector = 'demo'
                and is_on
                and due_at > $1
                and not exists (select from jobs.stats where total > 0)
            for no key update skip locked
        )",
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Closes the postings of the demo, because there are real ones. The caller has locked the openings.
///
/// # Errors
/// When a statement fails.
pub async fn close_demo(work: &mut UnitOfWork<'_>) -> Result<(), sqlx::Error> {
    let open = sqlx::query_scalar!(
        "select p.id
        from jobs.sources s
        join jobs.postings p on p.source_id = s.id
        where s.connector = 'demo'
            and p.closed_at is null",
    );
    let open = open.fetch_all(&mut *work.db).await?;
    close(work, &open).await?;
    Ok(())
}

/// Closes expired postings every minute until the process stops.
pub fn spawn(context: &ServiceContext, pool: &PgPool, changes: &Changes) {
    let (pool, changes) = (pool.clone(), changes.clone());
    context.tasks.spawn("closing", move |stopped| {
        let (pool, changes) = (pool.clone(), changes.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(INTERVAL) => close_expired(&pool, &changes).await?,
                };
            }
        }
    });
}

/// Closes postings after their deadline and postings of removed sources, a bounded number per transaction, and returns
/// their number. Then schedules the demo, in case its source was locked before.
///
/// # Errors
/// When a statement fails.
pub async fn close_expired(pool: &PgPool, changes: &Changes) -> Result<i32, Error> {
    let mut all = 0;
    loop {
        let mut tx = begin(pool).await?;
        let work = &mut changes.work(&mut tx);
        lock_openings(work.db).await?;
        let expired = sqlx::query_scalar!(
            "select id
            from jobs.postings
            where closed_at is null
                and application_deadline <= $1
            order by application_deadline
            limit $2",
            work.now,
            BATCH,
        );
        let mut expired = expired.fetch_all(&mut *work.db).await?;
        let orphaned = sqlx::query_scalar!(
            "select p.id
            from jobs.sources s
            join jobs.postings p on p.source_id = s.id
            where not s.is_on
                and s.last_success_at <= $1
                and p.closed_at is null
            limit $2",
            work.now - ORPHAN_RETENTION,
            BATCH,
        );
        expired.extend(orphaned.fetch_all(&mut *work.db).await?);
        let closed = close(work, &expired).await?;
        tx.commit().await.map_err(Error::from)?;
        all += closed;
        if closed == 0 {
            break;
        }
    }
    schedule_demo(&mut *pool.acquire().await?, changes.clock.now()).await?;
    Ok(all)
}
