//! Closing postings: at their deadline, when healthy crawls miss them, when an operator says so, and the demo's when real
//! ones come.
//!
//! Whoever opens or closes postings holds the openings, one row: it is taken after the crawl's source and before any
//! posting.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use db::begin;
use outbox::Outbox;
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    error::Error,
    facts, listings,
    sources::Leased,
    stats::{self, Sign},
};

/// Healthy crawls in a row that do not tell of a posting any more.
const ENOUGH: i16 = 2;
/// How often deadlines are looked at. Lists leave out at once what is over.
const EVERY: Duration = Duration::from_secs(60);
/// Postings a transaction closes for their time.
const AT_ONCE: i64 = 100;
/// How old postings become that their source cannot tell of any more: what has left the window that a feed is.
const OUTLIVED: TimeDelta = TimeDelta::days(60);
/// How long postings stay whose source is no longer configured, since it was last heard.
const ORPHANED: TimeDelta = TimeDelta::days(30);

/// Holds what is open, until the transaction ends. It is row 2 since there are listings, of which no release before knows.
///
/// # Errors
/// As any statement.
pub async fn hold(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("select id from jobs.openings where id = 2 for update").fetch_one(db).await?;
    Ok(())
}

/// Counts a healthy and whole crawl against every open posting of the source that it would have told of, had it still been
/// there, and closes those missed often enough: it reaches back to `reach`. What it cannot tell of any more is counted as
/// missed when it has been there for long. The source must be held. Returns how many it closed.
///
/// # Errors
/// As any statement.
pub async fn miss(
    db: &mut PgConnection,
    outbox: &Outbox,
    leased: &Leased,
    seen: &[Uuid],
    reach: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    patiently(db).await?;
    hold(db).await?;
    sqlx::query!(
        "update jobs.postings
        set misses = 0
        where id = any($1)
            and misses > 0",
        seen,
    )
    .execute(&mut *db)
    .await?;
    let gone = sqlx::query_scalar!(
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
        leased.source_id,
        seen,
        ENOUGH,
        reach,
        now - OUTLIVED,
    );
    let gone = gone.fetch_all(&mut *db).await?;
    close(db, outbox, &gone, now).await
}

/// Counts a crawl that found nothing changed: what the one before missed is missed again.
///
/// # Errors
/// As any statement.
pub async fn miss_again(
    db: &mut PgConnection,
    outbox: &Outbox,
    leased: &Leased,
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    patiently(db).await?;
    hold(db).await?;
    let gone = sqlx::query_scalar!(
        "update jobs.postings
        set misses = $2
        where source_id = $1
            and closed_at is null
            and misses > 0
            and misses < $2
        returning id",
        leased.source_id,
        ENOUGH,
    );
    let gone = gone.fetch_all(&mut *db).await?;
    close(db, outbox, &gone, now).await
}

/// A board of thousands may vanish at once, which is more work than a request's statements are given.
async fn patiently(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("set local statement_timeout = '30s'").execute(db).await?;
    Ok(())
}

/// Closes postings, tells whoever waits to hear of one, and has the demo come back when nothing real is left. Returns how
/// many were open. The openings must be held.
async fn close(
    db: &mut PgConnection,
    outbox: &Outbox,
    postings: &[Uuid],
    now: DateTime<Utc>,
) -> Result<i32, sqlx::Error> {
    if postings.is_empty() {
        return Ok(0);
    }
    stats::count(db, postings, Sign::Taken).await?;
    listings::take(db, postings).await?;
    let closed = sqlx::query_scalar!(
        "update jobs.postings
        set closed_at = $2
        where id = any($1)
            and closed_at is null
        returning id",
        postings,
        now,
    );
    let closed = closed.fetch_all(&mut *db).await?;
    // Read after the rows were taken: whoever applied meanwhile is among them.
    facts::applied_postings_closed(db, outbox, &closed, now).await?;
    recall_demo(db, now).await?;
    Ok(i32::try_from(closed.len()).unwrap_or(i32::MAX))
}

/// Closes a posting for good, whether or not it was open: no crawl opens it again. Answers with its title. The openings
/// must be held.
///
/// # Errors
/// [`Error::JobNotFound`].
pub async fn remove(db: &mut PgConnection, outbox: &Outbox, id: Uuid, now: DateTime<Utc>) -> Result<String, Error> {
    let removed = sqlx::query_scalar!(
        "update jobs.postings
        set removed_at = coalesce(removed_at, $2)
        where id = $1
        returning title",
        id,
        now,
    );
    let title = removed.fetch_optional(&mut *db).await?.ok_or(Error::JobNotFound)?;
    close(db, outbox, &[id], now).await?;
    Ok(title)
}

/// Has the demo crawled when nothing is open. Its own crawl holds its source before it wants the openings, which whoever
/// closes has: so nobody waits for it here, and where it is held somebody asks again within a minute.
async fn recall_demo(db: &mut PgConnection, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
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

/// Closes the demo's postings, because there are real ones. The openings must be held.
///
/// # Errors
/// As any statement.
pub async fn hide_demo(db: &mut PgConnection, outbox: &Outbox, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    let shown = sqlx::query_scalar!(
        "select p.id
        from jobs.sources s
        join jobs.postings p on p.source_id = s.id
        where s.connector = 'demo'
            and p.closed_at is null",
    );
    let shown = shown.fetch_all(&mut *db).await?;
    close(db, outbox, &shown, now).await?;
    Ok(())
}

/// Closes whatever is over, now and every minute until the process stops.
pub fn periodically(context: &ServiceContext, pool: &PgPool, outbox: &Outbox) {
    let (pool, outbox, clock) = (pool.clone(), outbox.clone(), context.clock.clone());
    context.tasks.spawn("closing", move |stopped| {
        let (pool, outbox, clock) = (pool.clone(), outbox.clone(), clock.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(EVERY) => overdue(&pool, &outbox, &clock).await?,
                };
            }
        }
    });
}

/// Closes every posting whose deadline has passed, and what is left of sources nobody asks any more; a bounded number in a
/// transaction. Then the demo is recalled, should it have been missed when the last posting was closed. Returns how many
/// were closed.
///
/// # Errors
/// As any statement.
pub async fn overdue(pool: &PgPool, outbox: &Outbox, clock: &Clock) -> Result<i32, Error> {
    let mut all = 0;
    loop {
        let now = clock.now();
        let mut tx = begin(pool).await?;
        hold(&mut tx).await?;
        let over = sqlx::query_scalar!(
            "select id
            from jobs.postings
            where closed_at is null
                and application_deadline <= $1
            order by application_deadline
            limit $2",
            now,
            AT_ONCE,
        );
        let mut over = over.fetch_all(&mut *tx).await?;
        let orphaned = sqlx::query_scalar!(
            "select p.id
            from jobs.sources s
            join jobs.postings p on p.source_id = s.id
            where not s.is_on
                and s.last_success_at <= $1
                and p.closed_at is null
            limit $2",
            now - ORPHANED,
            AT_ONCE,
        );
        over.extend(orphaned.fetch_all(&mut *tx).await?);
        let closed = close(&mut tx, outbox, &over, now).await?;
        tx.commit().await.map_err(Error::from)?;
        all += closed;
        if closed == 0 {
            break;
        }
    }
    recall_demo(&mut *pool.acquire().await?, clock.now()).await?;
    Ok(all)
}
