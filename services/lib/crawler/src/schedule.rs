//! Crawl schedules: when a source is crawled, by which replica, and what is stored about its crawls.
//!
//! The rows of a service's schema coordinate all replicas. Its migrations create three tables:
//!
//! - `sources`: one row per source with its due time, the lease of the running crawl, and the outcome of the last one.
//! - `crawls`: the newest hundred crawls of each source. The id of a crawl owns the lease.
//! - `refreshes`: one row with the start of the last refresh.
//!
//! The worker of any replica claims the source that has been due longest. A crawl writes its items in several transactions,
//! and each of them first renews the lease: a process that was suspended for longer than the lease writes nothing. [`pace`]
//! computes the next due time. A refresh makes the sources due before their time, at most once a minute for all callers and
//! replicas.
//!
//! A service supplies its [`Tables`] and implements [`Crawl`]: reading a source and storing its items.

mod pace;
mod refresh;
mod sql;
mod worker;

use std::{marker::PhantomData, sync::Arc, time::Duration};

use chassis::ServiceContext;
use chrono::{DateTime, TimeDelta, Utc};
use primitives::{clock::Clock, ids::Ids};
use sqlx::{Decode, Encode, FromRow, PgConnection, PgPool, Postgres, Type, postgres::PgHasArrayType};
use tokio::sync::{Mutex, Notify, watch};
use uuid::Uuid;

use self::sql::{Sql, query, query_as};
use crate::fetch::Failure;

pub use self::worker::Crawl;

/// The validity of a lease that is not renewed.
const LEASE: TimeDelta = TimeDelta::minutes(2);
/// Crawls that are kept per source.
const HISTORY: i64 = 100;

/// The tables of a service, as far as services differ.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The schema.
    pub schema: &'static str,
    /// The column of `sources` with the time until which the server asked not to be called (`Retry-After`).
    pub held_until: &'static str,
    /// A condition on `sources` that selects the sources that a refresh makes due.
    pub refreshable: &'static str,
    /// The order in which due sources are claimed.
    pub claim_order: &'static str,
    /// The failure that is stored for a crawl without an end.
    pub interrupted: &'static str,
}

/// The id of a source: the type of `sources.id`.
pub trait SourceId:
    Clone
    + Send
    + Sync
    + Unpin
    + Type<Postgres>
    + PgHasArrayType
    + for<'q> Encode<'q, Postgres>
    + for<'r> Decode<'r, Postgres>
    + 'static
{
}

impl SourceId for Uuid {}
impl SourceId for String {}

/// A source that a crawl has leased.
#[derive(Clone, Debug, FromRow)]
pub struct Lease<Id> {
    /// The source.
    pub source_id: Id,
    /// The crawl, which owns the lease.
    pub crawl_id: Uuid,
    /// The kind of the source.
    pub connector: String,
    /// The address of the source.
    pub address: String,
    /// The displayed name of the source.
    pub name: String,
    /// The validators of the last successful response.
    #[sqlx(flatten)]
    pub validators: Validators,
    /// Consecutive failures before this crawl.
    failures: i32,
}

/// The validators of a response, with which the next request is conditional.
#[derive(Clone, Debug, Default, FromRow)]
pub struct Validators {
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`, as sent.
    pub last_modified: Option<String>,
}

/// The outcome of a crawl.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The server reported no change.
    pub unchanged: bool,
    /// The validators for the next crawl; `None` keeps the stored ones.
    pub validators: Option<Validators>,
    /// Why the crawl failed.
    pub failure: Option<CrawlFailure>,
}

/// Why a crawl failed.
#[derive(Debug)]
pub struct CrawlFailure {
    /// A sentence for operators, without addresses.
    pub message: String,
    /// The `Retry-After` of the server.
    pub retry_after: Option<Duration>,
}

impl CrawlFailure {
    /// A failure without `Retry-After`.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), retry_after: None }
    }
}

impl From<Failure> for CrawlFailure {
    fn from(failure: Failure) -> Self {
        Self { message: failure.to_string(), retry_after: failure.retry_after() }
    }
}

/// A crawl whose outcome was stored.
#[derive(Debug)]
pub struct EndedCrawl {
    /// Items of the source.
    found: i32,
    /// New items.
    new: i32,
    unchanged: bool,
    failure: Option<String>,
}

/// The schedule of the sources of one service, whose ids have the type `Id`. Clones share it.
#[derive(Clone)]
pub struct Schedule<Id>(Arc<Shared<Id>>);

struct Shared<Id> {
    tables: Tables,
    sql: Sql,
    /// The interval between two crawls of a source.
    every: Duration,
    db: PgPool,
    clock: Clock,
    ids: Ids,
    /// A source became due.
    due: Notify,
    /// Changes when a crawl of this process ends.
    ended: watch::Sender<()>,
    /// The start of the last refresh of this process, which saves a query within the cooldown.
    refreshed_at: Mutex<Option<DateTime<Utc>>>,
    id: PhantomData<fn() -> Id>,
}

impl<Id: SourceId> Schedule<Id> {
    /// The schedule of the sources in `tables`, each crawled once in `every`.
    #[must_use]
    pub fn new(context: &ServiceContext, db: &PgPool, tables: Tables, every: Duration) -> Self {
        worker::describe_metrics();
        Self(Arc::new(Shared {
            tables,
            sql: Sql::new(&tables),
            every,
            db: db.clone(),
            clock: context.clock.clone(),
            ids: context.ids.clone(),
            due: Notify::new(),
            ended: watch::Sender::new(()),
            refreshed_at: Mutex::default(),
            id: PhantomData,
        }))
    }

    /// Leases the next due source. An earlier crawl of it without an end is marked as interrupted.
    ///
    /// # Errors
    /// When the database is unavailable.
    pub async fn claim(&self) -> Result<Option<Lease<Id>>, db::Error> {
        let Shared { sql, tables, .. } = &*self.0;
        let (crawl_id, now) = (self.0.ids.new_owner(), self.0.clock.now());
        let mut tx = db::begin(&self.0.db).await?;
        let claimed: Option<Lease<Id>> =
            query_as(&sql.claim).bind(crawl_id).bind(now).bind(now + LEASE).fetch_optional(&mut *tx).await?;
        let Some(lease) = claimed else { return Ok(None) };
        query(&sql.interrupt).bind(&lease.source_id).bind(now).bind(tables.interrupted).execute(&mut *tx).await?;
        query(&sql.insert_crawl).bind(crawl_id).bind(&lease.source_id).bind(now).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(Some(lease))
    }

    /// Renews the lease and locks the source until the transaction ends. `false` when the lease was lost: the crawl must not
    /// write. Every transaction of a crawl renews the lease before it writes.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn renew(
        &self,
        db: &mut PgConnection,
        lease: &Lease<Id>,
        now: DateTime<Utc>,
    ) -> Result<bool, sqlx::Error> {
        let renewed = query(&self.0.sql.renew)
            .bind(&lease.source_id)
            .bind(lease.crawl_id)
            .bind(now)
            .bind(now + LEASE)
            .execute(db)
            .await?;
        Ok(renewed.rows_affected() == 1)
    }

    /// Adds to the item counts of a crawl, in the transaction that stores the items.
    ///
    /// # Errors
    /// When the statement fails.
    pub async fn add_counts(
        &self,
        db: &mut PgConnection,
        lease: &Lease<Id>,
        found: i32,
        new: i32,
    ) -> Result<(), sqlx::Error> {
        query(&self.0.sql.add_counts).bind(lease.crawl_id).bind(found).bind(new).execute(db).await?;
        Ok(())
    }

    /// Stores the outcome and the next due time, and ends the lease. `None` when the lease was lost: nothing is stored.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn end(
        &self,
        db: &mut PgConnection,
        lease: &Lease<Id>,
        outcome: Outcome,
        now: DateTime<Utc>,
    ) -> Result<Option<EndedCrawl>, sqlx::Error> {
        let Shared { sql, every, .. } = &*self.0;
        let Outcome { unchanged, validators, failure } = outcome;
        let failures = if failure.is_some() { lease.failures.saturating_add(1) } else { 0 };
        let (message, retry_after) = failure.map(|failure| (failure.message, failure.retry_after)).unzip();
        let retry_after = retry_after.flatten();
        let due_at = pace::next(now, *every, failures.unsigned_abs(), retry_after, pace::jitter(lease.crawl_id));
        let held_until = retry_after.and_then(|delay| now.checked_add_signed(TimeDelta::from_std(delay).ok()?));
        let replaces_validators = validators.is_some();
        let Validators { etag, last_modified } = validators.unwrap_or_default();
        let ended: Option<(i32, i32)> = query_as(&sql.end_lease)
            .bind(&lease.source_id)
            .bind(lease.crawl_id)
            .bind(now)
            .bind(due_at)
            .bind(held_until)
            .bind(failures)
            .bind(message.clone())
            .bind(replaces_validators)
            .bind(etag)
            .bind(last_modified)
            .fetch_optional(&mut *db)
            .await?;
        let Some((found, new)) = ended else { return Ok(None) };
        query(&sql.end_crawl)
            .bind(lease.crawl_id)
            .bind(now)
            .bind(unchanged)
            .bind(message.clone())
            .execute(&mut *db)
            .await?;
        query(&sql.prune).bind(&lease.source_id).bind(HISTORY).execute(db).await?;
        Ok(Some(EndedCrawl { found, new, unchanged, failure: message }))
    }

    /// Ends the lease without an outcome, because the process stops.
    async fn release(&self, lease: &Lease<Id>) -> Result<(), sqlx::Error> {
        query(&self.0.sql.release).bind(&lease.source_id).bind(lease.crawl_id).execute(&self.0.db).await?;
        Ok(())
    }

    /// Returns when a source can be claimed next.
    async fn next_due(&self) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
        let (next,) = query_as(&self.0.sql.next_due).fetch_one(&self.0.db).await?;
        Ok(next)
    }
}
