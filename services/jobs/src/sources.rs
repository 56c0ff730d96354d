//! Sources: when each is due and who crawls it, and how its crawls went.

mod configured;
mod list;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use crawler::pace;
use primitives::ids::Ids;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::connectors::{Board, Connector};
pub use configured::{Configured, configure};
pub use list::{Source, list};

/// Crawls of a source that are remembered.
const REMEMBERED: i64 = 100;

type Done = Result<(), sqlx::Error>;

/// A source whose crawl is ours, until the lease is over.
#[derive(Clone, Debug)]
pub struct Leased {
    /// The source.
    pub source_id: Uuid,
    /// The crawl, whose id is the lease.
    pub crawl_id: Uuid,
    /// What speaks to it.
    pub connector: Connector,
    /// What it is asked, and called.
    pub board: Board,
    /// What its last healthy answer was marked with.
    pub etag: Option<String>,
    /// The same, as a moment.
    pub last_modified: Option<String>,
    /// How often it failed in a row.
    pub failures: i32,
}

/// Takes on the source that is due the longest; nobody else does while the lease lasts. A crawl that held it before and
/// was never heard of again is over.
///
/// # Errors
/// As any statement.
pub async fn claim(db: &mut PgConnection, ids: &Ids, now: DateTime<Utc>) -> Result<Option<Leased>, sqlx::Error> {
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
    // Every row's connector is one of the table's check.
    Ok(Connector::parse(&claimed.connector).map(|connector| Leased {
        source_id: claimed.id,
        crawl_id,
        connector,
        board: Board { address: claimed.address, name: claimed.name },
        etag: claimed.etag,
        last_modified: claimed.last_modified,
        failures: claimed.failures,
    }))
}

/// Holds the source for this transaction and the crawl for another lease; whether it is still ours. To be asked first in
/// every transaction of a crawl, so that one who slept over its lease writes nothing.
///
/// # Errors
/// As any statement.
pub async fn hold(db: &mut PgConnection, leased: &Leased, now: DateTime<Utc>) -> Result<bool, sqlx::Error> {
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

/// How a crawl ended.
#[derive(Clone, Debug, Default)]
pub struct Ended {
    /// Items it was told of.
    pub found: i32,
    /// Postings it closed.
    pub closed: i32,
    /// The source said that nothing had changed.
    pub unchanged: bool,
    /// Why it failed, in a sentence for operators.
    pub failure: Option<String>,
    /// How long the source asked to be left alone.
    pub retry_after: Option<Duration>,
    /// What the answer was marked with.
    pub etag: Option<String>,
    /// The same, as a moment.
    pub last_modified: Option<String>,
}

/// Writes down how a crawl ended, gives the source back and says when it is due again. The source must be held.
///
/// # Errors
/// As any statement.
pub async fn end(
    db: &mut PgConnection,
    leased: &Leased,
    ended: &Ended,
    every: Duration,
    jitter: f64,
    now: DateTime<Utc>,
) -> Done {
    let failures = if ended.failure.is_some() { leased.failures.saturating_add(1) } else { 0 };
    let due_at = pace::next(now, every, u32::try_from(failures).unwrap_or_default(), ended.retry_after, jitter);
    let held_until = ended.retry_after.and_then(|rest| now.checked_add_signed(TimeDelta::from_std(rest).ok()?));
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
        ended.found,
        ended.closed,
        ended.unchanged,
        ended.failure,
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
            -- What was not read to its end must not pass for unchanged.
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
        ended.failure,
        now,
        ended.etag,
        ended.last_modified,
    )
    .execute(&mut *db)
    .await?;
    forget(db, leased.source_id).await
}

/// Forgets all but a source's newest crawls.
async fn forget(db: &mut PgConnection, source: Uuid) -> Done {
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
        REMEMBERED,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Gives back what a crawl held that stops halfway because the process does: others need not wait for the lease's end.
///
/// # Errors
/// As any statement.
pub async fn release(db: &mut PgConnection, crawls: &[Uuid]) -> Done {
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

/// When the next source is due, of those nobody crawls.
///
/// # Errors
/// As any statement.
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
