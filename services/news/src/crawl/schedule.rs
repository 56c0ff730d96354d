//! Who is asked when, and by whom: the rows all replicas agree by.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use crawler::pace;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::connectors::Connector;

/// Crawls of a source that are remembered.
const REMEMBERED: i64 = 100;

/// A source that a crawl holds.
#[derive(Clone, Debug)]
pub struct Claimed {
    /// Which.
    pub id: String,
    /// How it is read.
    pub connector: Connector,
    /// Where.
    pub address: String,
    /// What its server is told about the last answer.
    pub etag: Option<String>,
    /// The same, by date.
    pub last_modified: Option<String>,
    /// Failures in a row so far.
    pub failures: i32,
    /// The crawl, and what the source is leased by.
    pub crawl: Uuid,
}

/// How a crawl ended.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// Stories the source told.
    pub found: i32,
    /// Those that were new.
    pub new: i32,
    /// Whether the server said that nothing has changed.
    pub unchanged: bool,
    /// What to tell the server next time.
    pub etag: Option<String>,
    /// The same, by date.
    pub last_modified: Option<String>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// How long the server asked to be left alone.
    pub retry_after: Option<Duration>,
}

/// Takes the source that has been due longest and that nobody crawls, for the crawl `crawl`; the demo comes first.
///
/// # Errors
/// As any statement.
pub async fn claim(db: &mut PgConnection, crawl: Uuid, now: DateTime<Utc>) -> Result<Option<Claimed>, sqlx::Error> {
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
    Ok(Some(Claimed {
        id: source.id,
        connector: Connector::named(&source.connector),
        address: source.address,
        etag: source.etag,
        last_modified: source.last_modified,
        failures: source.failures,
        crawl,
    }))
}

/// Renews a crawl's lease and keeps anybody else from the source until the transaction ends. `false` when the lease was
/// over and another crawl has taken its place: this one writes nothing more.
///
/// # Errors
/// As any statement.
pub async fn renew(db: &mut PgConnection, source: &Claimed, now: DateTime<Utc>) -> Result<bool, sqlx::Error> {
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

/// Counts what a crawl has found and written so far, in the transaction of that.
///
/// # Errors
/// As any statement.
pub async fn count(db: &mut PgConnection, source: &Claimed, found: i32, new: i32) -> Result<(), sqlx::Error> {
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

/// Writes down how a crawl ended and when the next one begins. `false`, and nothing written, when another crawl has
/// taken its place.
///
/// # Errors
/// As any statement.
pub async fn end(
    db: &mut PgConnection,
    source: &Claimed,
    ending: &Ending,
    due_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let failed = ending.failure.is_some();
    let rest = ending.retry_after.and_then(|rest| TimeDelta::from_std(rest).ok());
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
            -- What a failed crawl was told about is not all written yet.
            etag = case when $5 then etag else $9 end,
            last_modified = case when $5 then last_modified else $10 end
        where id = $1
            and leased_by = $2",
        source.id,
        source.crawl,
        due_at,
        rest.and_then(|rest| now.checked_add_signed(rest)),
        failed,
        now,
        ending.new,
        ending.failure,
        ending.etag,
        ending.last_modified,
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
        ending.unchanged,
        ending.failure,
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
        REMEMBERED,
    )
    .execute(db)
    .await?;
    Ok(true)
}

/// Gives a source back as if nobody had begun: the process stops.
///
/// # Errors
/// As any statement.
pub async fn give_back(db: &mut PgConnection, source: &Claimed) -> Result<(), sqlx::Error> {
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

/// When the next source is due, or a lease of one that is due ends.
///
/// # Errors
/// As any statement.
pub async fn next_due(db: &mut PgConnection) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "select min(greatest(due_at, leased_until))
        from news.sources
        where is_on",
    )
    .fetch_one(db)
    .await
}
