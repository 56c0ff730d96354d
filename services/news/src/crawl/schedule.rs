//! Leases and due times of sources: rows that coordinate all replicas.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use crawler::pace;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::connectors::Connector;

/// Crawls that are kept per source.
const CRAWL_HISTORY: i64 = 100;

/// A source that a crawl has leased.
#[derive(Clone, Debug)]
pub struct LeasedSource {
    pub id: String,
    pub connector: Connector,
    pub address: String,
    /// The validators of the last response.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Consecutive failures.
    pub failures: i32,
    /// The id of the crawl, which identifies the lease.
    pub crawl: Uuid,
}

/// The outcome of a crawl.
#[derive(Clone, Debug, Default)]
pub struct CrawlOutcome {
    /// Items of the source.
    pub found: i32,
    /// New articles.
    pub new: i32,
    /// The server reported no change.
    pub unchanged: bool,
    /// The validators of the response.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Why it failed: a sentence for operators.
    pub failure: Option<String>,
    /// The `Retry-After` of the server.
    pub retry_after: Option<Duration>,
}

/// Leases the source without a lease that has been due longest to the crawl `crawl`; the demo comes first.
pub async fn claim(
    db: &mut PgConnection,
    crawl: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<LeasedSource>, sqlx::Error> {
    let claimed = sqlx::query!(
        "update news.sources
        set
            leased_by = $1,
            leased_until = $2
        where id = (
            select id
            from news.sources
            where is_on
                and due_at <= $3
                and (leased_until is null or leased_until <= $3)
            order by connector <> 'demo', due_at, id
            limit 1
            for no key update skip locked
        )
        returning id, connector, address, etag, last_modified, failures",
        crawl,
        now + pace::LEASE,
        now,
    )
    .fetch_optional(&mut *db)
    .await?;
    let Some(source) = claimed else { return Ok(None) };
    sqlx::query!(
        "update news.crawls
        set
            ended_at = $2,
            failure = 'It was interrupted.'
        where source_id = $1
            and ended_at is null",
        source.id,
        now,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "insert into news.crawls (id, source_id, started_at)
        values ($1, $2, $3)",
        crawl,
        source.id,
        now,
    )
    .execute(db)
    .await?;
    Ok(Some(LeasedSource {
        id: source.id,
        connector: Connector::from_name(&source.connector),
        address: source.address,
        etag: source.etag,
        last_modified: source.last_modified,
        failures: source.failures,
        crawl,
    }))
}

/// Renews the lease and locks the source until the transaction ends. `false` when another crawl has the lease: this one must
/// not write.
pub async fn renew(db: &mut PgConnection, source: &LeasedSource, now: DateTime<Utc>) -> Result<bool, sqlx::Error> {
    let renewed = sqlx::query!(
        "update news.sources
        set leased_until = $3
        where id = $1
            and leased_by = $2",
        source.id,
        source.crawl,
        now + pace::LEASE,
    );
    Ok(renewed.execute(db).await?.rows_affected() == 1)
}

/// Adds to the counters of a crawl, in the transaction of its batch.
pub async fn add_counts(db: &mut PgConnection, source: &LeasedSource, found: i32, new: i32) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update news.crawls
        set
            found = found + $2,
            new_items = new_items + $3
        where id = $1",
        source.crawl,
        found,
        new,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("update news.sources set new_ever = new_ever + $2 where id = $1", source.id, i64::from(new))
        .execute(db)
        .await?;
    Ok(())
}

/// Stores the outcome and the due time of the next crawl, and ends the lease. `false` when another crawl has it.
pub async fn end(
    db: &mut PgConnection,
    source: &LeasedSource,
    outcome: &CrawlOutcome,
    due_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let failed = outcome.failure.is_some();
    let retry_after = outcome.retry_after.and_then(|delay| TimeDelta::from_std(delay).ok());
    let ended = sqlx::query!(
        "update news.sources
        set
            leased_by = null,
            leased_until = null,
            due_at = $3,
            rests_until = $4,
            failures = case when $5 then failures + 1 else 0 end,
            last_run_at = $6,
            last_success_at = case when $5 then last_success_at else $6 end,
            new_items = $7,
            failure = $8,
            -- A failed crawl may not have stored all items.
            etag = case when $5 then etag else $9 end,
            last_modified = case when $5 then last_modified else $10 end
        where id = $1
            and leased_by = $2",
        source.id,
        source.crawl,
        due_at,
        retry_after.and_then(|delay| now.checked_add_signed(delay)),
        failed,
        now,
        outcome.new,
        outcome.failure,
        outcome.etag,
        outcome.last_modified,
    );
    if ended.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "update news.crawls
        set
            ended_at = $2,
            unchanged = $3,
            failure = $4
        where id = $1",
        source.crawl,
        now,
        outcome.unchanged,
        outcome.failure,
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!(
        "delete from news.crawls
        where source_id = $1
            and id not in (
                select id
                from news.crawls
                where source_id = $1
                order by started_at desc, id desc
                limit $2
            )",
        source.id,
        CRAWL_HISTORY,
    )
    .execute(db)
    .await?;
    Ok(true)
}

/// Ends the lease without an outcome, because the process stops.
pub async fn release(db: &mut PgConnection, source: &LeasedSource) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update news.sources
        set
            leased_by = null,
            leased_until = null
        where id = $1
            and leased_by = $2",
        source.id,
        source.crawl,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// When a source can be leased next.
pub async fn next_due(db: &mut PgConnection) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "select min(greatest(due_at, leased_until))
        from news.sources
        where is_on",
    )
    .fetch_one(db)
    .await
}
