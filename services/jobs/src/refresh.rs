//! Refresh: at most once a minute, whoever asks, every real source is due now.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use primitives::clock::Clock;
use sqlx::{PgConnection, PgPool};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::{crawl::Crawler, error::Error};

/// How long the next refresh waits for.
const REST: TimeDelta = TimeDelta::seconds(60);
/// How often crawls of other replicas are looked at; this one's tell when they end.
const LOOK: Duration = Duration::from_millis(250);

/// What a refresh has made due: nothing, unless it was the first of its minute.
pub struct Refresh {
    began_at: DateTime<Utc>,
    sources: Vec<Uuid>,
}

/// Makes every real source due, but for those that asked for a rest; none within the minute. One statement, because a
/// thousand may ask at once.
pub async fn begin(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Refresh, Error> {
    let sources = sqlx::query_scalar!(
        "with begun as (
            update jobs.refreshes
            set began_at = $1
            where id = 1
                and began_at <= $2
            returning id
        ),
        asked as (
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
            where id in (select id from asked)
            order by id
            -- What is held is being crawled this moment, which is waited for all the same. Whoever asks waits for no crawl's
            -- transaction, nor others for them.
            for no key update skip locked
        ),
        due as (
            update jobs.sources s
            set due_at = $1
            from free
            where s.id = free.id
        )
        select id
        from asked",
        now,
        now - REST,
    );
    Ok(Refresh { began_at: now, sources: sources.fetch_all(db).await? })
}

/// Waits for its crawls until `until`, and tells how many postings were new by then.
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
    let mut ends = crawler.ends();
    crawler.wake();
    while Instant::now() < until && is_under_way(pool, clock, refresh).await? {
        tokio::select! {
            _ = ends.changed() => {}
            () = sleep(LOOK.min(until.saturating_duration_since(Instant::now()))) => {}
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

/// Whether one of the sources is still to be crawled, or being crawled.
async fn is_under_way(pool: &PgPool, clock: &Clock, refresh: &Refresh) -> Result<bool, Error> {
    let under_way = sqlx::query_scalar!(
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
    Ok(under_way.fetch_one(pool).await?)
}
