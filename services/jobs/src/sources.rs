//! Sources: their leases and due times, and the results of their crawls. The rows coordinate all replicas.

mod configured;
mod list;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use crawler::pace;
use primitives::ids::Ids;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::connectors::{Board, Connector};
pub use configured::{ConfiguredSource, configure};
pub use list::{Source, list};

/// Crawls that are kept per source.
const CRAWL_HISTORY: i64 = 100;

/// A source that a crawl has leased.
#[derive(Clone, Debug)]
pub struct LeasedSource {
    /// The source.
    pub source_id: Uuid,
    /// The crawl, which owns the lease.
    pub crawl_id: Uuid,
    /// Its kind.
    pub connector: Connector,
    /// Its address and name.
    pub board: Board,
    /// The validator of the last successful response.
    pub etag: Option<String>,
    /// The time of the last successful response, as sent.
    pub last_modified: Option<String>,
    /// Consecutive failures.
    pub failures: i32,
}

/// Leases the source without a lease that has been due longest. An earlier crawl without an end is marked as interrupted.
///
/// # Errors
/// When a statement fails.
pub async fn claim(db: &mut PgConnection, ids: &Ids, now: DateTime<Utc>) -> Result<Option<LeasedSource>, sqlx::Error> {
    let crawl_id = ids.new_owner();
    let claimed = sqlx::query!(
        "update jobs.sources
        set
            leased_by = $1,
            leased_until = $3
        where id = (
            select id
            from jobs.sources
            where is_on
                and due_at <= $2
                and (leased_until is null or leased_until <= $2)
            order by due_at, id
            for no key update skip locked
            limit 1
        )
        returning id, connector, address, name, etag, last_modified, failures",
        crawl_id,
        now,
        now + pace::LEASE,
    )
    .fetch_optional(&mut *db)
    .await?;
    let Some(claimed) = claimed else { return Ok(None) };
    sqlx::query!(
        "update jobs.crawls
        set
            ended_at = $2,
            failure = 'It was cut off.'
        where source_id = $1
            and ended_at is null",
        claimed.id,
        now,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("insert into jobs.crawls (id, source_id, started_at) values ($1, $2, $3)", crawl_id, claimed.id, now)
        .execute(&mut *db)
        .await?;
    // The table allows known connectors only.
    Ok(Connector::parse(&claimed.connector).map(|connector| LeasedSource {
        source_id: claimed.id,
        crawl_id,
        connector,
        board: Board { address: claimed.address, name: claimed.name },
        etag: claimed.etag,
        last_modified: claimed.last_modified,
        failures: claimed.failures,
    }))
}

/// Renews the lease and locks the source until the transaction ends; `false` when the lease was lost. The first statement of
/// every transaction of a crawl.
///
/// # Errors
/// When the statement fails.
pub async fn renew(db: &mut PgConnection, leased: &LeasedSource, now: DateTime<Utc>) -> Result<bool, sqlx::Error> {
    let held = sqlx::query!(
        "update jobs.sources
        set leased_until = $4
        where id = $1
            and leased_by = $2
            and leased_until > $3",
        leased.source_id,
        leased.crawl_id,
        now,
        now + pace::LEASE,
    );
    Ok(held.execute(db).await?.rows_affected() == 1)
}

/// The outcome of a crawl.
#[derive(Clone, Debug, Default)]
pub struct CrawlOutcome {
    /// Items of the source.
    pub found: i32,
    /// Closed postings.
    pub closed: i32,
    /// The server reported no change.
    pub unchanged: bool,
    /// Why it failed: a sentence for operators.
    pub failure: Option<String>,
    /// The `Retry-After` of the server.
    pub retry_after: Option<Duration>,
    /// The validator of the response.
    pub etag: Option<String>,
    /// The modification time of the response, as sent.
    pub last_modified: Option<String>,
}

/// Stores the outcome and the next due time, and ends the lease. The caller has locked the source.
///
/// # Errors
/// When a statement fails.
pub async fn end(
    db: &mut PgConnection,
    leased: &LeasedSource,
    outcome: &CrawlOutcome,
    every: Duration,
    jitter: f64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let failures = if outcome.failure.is_some() { leased.failures.saturating_add(1) } else { 0 };
    let due_at = pace::next(now, every, u32::try_from(failures).unwrap_or_default(), outcome.retry_after, jitter);
    let held_until = outcome.retry_after.and_then(|rest| now.checked_add_signed(TimeDelta::from_std(rest).ok()?));
    sqlx::query!(
        "update jobs.crawls
        set
            ended_at = $2,
            found = $3,
            closed = $4,
            unchanged = $5,
            failure = $6
        where id = $1",
        leased.crawl_id,
        now,
        outcome.found,
        outcome.closed,
        outcome.unchanged,
        outcome.failure,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "update jobs.sources s
        set
            leased_by = null,
            leased_until = null,
            due_at = $3,
            held_until = $4,
            failures = $5,
            failure = $6,
            last_run_at = $7,
            last_success_at = case when $6::text is null then $7 else s.last_success_at end,
            new_items = c.new_items,
            -- A failed crawl may not have stored all items.
            etag = case when $6::text is null then $8 end,
            last_modified = case when $6::text is null then $9 end
        from jobs.crawls c
        where s.id = $1
            and c.id = $2",
        leased.source_id,
        leased.crawl_id,
        due_at,
        held_until,
        failures,
        outcome.failure,
        now,
        outcome.etag,
        outcome.last_modified,
    )
    .execute(&mut *db)
    .await?;
    prune_crawls(db, leased.source_id).await
}

/// Deletes all but the newest crawls of a source.
async fn prune_crawls(db: &mut PgConnection, source: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from jobs.crawls
        where id in (
            select id
            from jobs.crawls
            where source_id = $1
            order by started_at desc, id desc
            offset $2
        )",
        source,
        CRAWL_HISTORY,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends the leases of these crawls without an outcome, because the process stops.
///
/// # Errors
/// When the statement fails.
pub async fn release(db: &mut PgConnection, crawls: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update jobs.sources
        set
            leased_by = null,
            leased_until = null
        where leased_by = any($1)",
        crawls,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// When a source can be leased next.
///
/// # Errors
/// When the statement fails.
pub async fn next_due(db: &mut PgConnection, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "select min(case when leased_until > $1 then greatest(leased_until, due_at) else due_at end)
        from jobs.sources
        where is_on",
        now,
    )
    .fetch_one(db)
    .await
}
