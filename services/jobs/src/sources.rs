//! Sources: as the configuration names them, when each is due and who crawls it, and how its crawls went.

use std::time::Duration;

use chassis::ids::Ids;
use chrono::{DateTime, Utc};
use crawler::pace;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    connectors::{Board, Connector},
    error::Error,
};

/// Crawls of a source that are remembered.
const REMEMBERED: i64 = 100;

type Done = Result<(), sqlx::Error>;

/// A source as the configuration names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// What speaks to it.
    pub connector: Connector,
    /// What it is asked.
    pub address: String,
    /// What people read under a posting.
    pub name: String,
}

/// Brings the table in line with the configuration: what is named is on, what is not is off and keeps its postings.
///
/// # Errors
/// As any statement.
pub async fn configure(db: &mut PgConnection, ids: &Ids, sources: &[Configured], now: DateTime<Utc>) -> Done {
    let connectors: Vec<String> = sources.iter().map(|source| source.connector.name().to_owned()).collect();
    let addresses: Vec<String> = sources.iter().map(|source| source.address.clone()).collect();
    sqlx::query!(
        "update jobs.sources s
        set is_on = false
        where is_on
            and not exists (
                select
                from unnest($1::text[], $2::text[]) as named (connector, address)
                where named.connector = s.connector
                    and named.address = s.address
            )",
        &connectors,
        &addresses,
    )
    .execute(&mut *db)
    .await?;
    for source in sources {
        // One that is new or was off is asked at once, and one that is called differently is read anew: its name may be
        // the employer's.
        let id = sqlx::query_scalar!(
            "insert into jobs.sources as known (id, connector, address, name, is_on, due_at)
            values ($1, $2, $3, $4, true, $5)
            on conflict (connector, address) do update
            set
                name = excluded.name,
                is_on = true,
                due_at = case when known.is_on and known.name = excluded.name then known.due_at else excluded.due_at end,
                etag = case when known.is_on and known.name = excluded.name then known.etag end,
                last_modified = case when known.is_on and known.name = excluded.name then known.last_modified end
            returning id",
            ids.new_owner(),
            source.connector.name(),
            source.address,
            source.name,
            now,
        )
        .fetch_one(&mut *db)
        .await?;
        sqlx::query!("insert into jobs.stats (source_id) values ($1) on conflict (source_id) do nothing", id)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

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
            for update skip locked
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
    let held_until = ended.retry_after.map(|_| due_at);
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

/// A source, and how its last crawls went.
#[derive(Clone, Debug)]
pub struct Source {
    /// What people read under a posting.
    pub name: String,
    /// What speaks to it.
    pub connector: String,
    /// When the last crawl ended; `None` before the first.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When the last one ended that went well.
    pub last_success_at: Option<DateTime<Utc>>,
    /// What the last crawl found that was new.
    pub new_items: i32,
    /// Postings of it that are open.
    pub open_items: i64,
    /// Why the last crawl failed; `None` when it did not.
    pub failure: Option<String>,
    /// When it is crawled next.
    pub due_at: DateTime<Utc>,
}

/// Every source that is on, by name.
///
/// # Errors
/// As any statement.
pub async fn list(db: &mut PgConnection) -> Result<Vec<Source>, Error> {
    let sources = sqlx::query_as!(
        Source,
        r#"select
            s.name, s.connector, s.last_run_at, s.last_success_at, s.new_items, s.failure, s.due_at,
            coalesce(t.total, 0) as "open_items!"
        from jobs.sources s
        left join jobs.stats t on t.source_id = s.id
        where s.is_on
        order by s.name, s.id"#,
    );
    Ok(sources.fetch_all(db).await?)
}
