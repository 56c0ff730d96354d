//! Refreshes on request: at most one a minute for all callers and replicas.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{crawl::Crawler, error::Error};

/// The time between two refreshes.
const COOLDOWN: TimeDelta = TimeDelta::seconds(60);
/// How often crawls of other processes are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// A refresh in progress; without sources within the cooldown of an earlier one.
pub struct Refresh {
    began_at: DateTime<Utc>,
    sources: Vec<Uuid>,
}

/// Makes every source except the demo due, unless it sent `Retry-After`. One statement, because a thousand requests may come
/// at once.
pub async fn begin(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Refresh, Error> {
    let sources = sqlx::query_scalar!(
        "with begun as (
            update jobs.refreshes
            set began_at = $1
            where id = 1
                and began_at <= $2
            returning id
        ),
        selected as (
            select id
            from jobs.sources
            where is_on
                and connector <> 'demo'
                and (held_until is null or held_until <= $1)
                and exists (select from begun)
        ),
        free as (
            select id
            from jobs.sources
            where id in (select id from selected)
            order by id
            -- A locked source is being crawled now, and the refresh waits for that crawl instead of its lock.
            for no key update skip locked
        ),
        due as (
            update jobs.sources s
            set due_at = $1
            from free
            where s.id = free.id
        )
        select id
        from selected",
        now,
        now - COOLDOWN,
    );
    Ok(Refresh { began_at: now, sources: sources.fetch_all(db).await? })
}

/// Waits for the crawls at most until `until` and returns the number of new postings.
pub async fn wait(
    pool: &PgPool,
    clock: &Clock,
    crawler: &Crawler,
    refresh: &Refresh,
    until: Instant,
) -> Result<i32, Error> {
    if refresh.sources.is_empty() {
        return Ok(0);
    }
    let mut ends = crawler.subscribe_to_ends();
    crawler.wake();
    while Instant::now() < until && is_running(pool, clock, refresh).await? {
        tokio::select! {
            _ = ends.changed() => {}
            () = sleep(POLL_INTERVAL.min(until.saturating_duration_since(Instant::now()))) => {}
        }
    }
    let new = sqlx::query_scalar!(
        r#"select coalesce(sum(new_items), 0)::int as "new!"
        from jobs.crawls
        where source_id = any($1)
            and (ended_at is null or ended_at >= $2)"#,
        &refresh.sources,
        refresh.began_at,
    );
    Ok(new.fetch_one(pool).await?)
}

/// Whether a source is still due or being crawled.
async fn is_running(pool: &PgPool, clock: &Clock, refresh: &Refresh) -> Result<bool, Error> {
    let running = sqlx::query_scalar!(
        r#"select exists (
            select
            from jobs.sources
            where id = any($1)
                and (due_at <= $2 or leased_until > $3)
        ) as "exists!""#,
        &refresh.sources,
        refresh.began_at,
        clock.now(),
    );
    Ok(running.fetch_one(pool).await?)
}
