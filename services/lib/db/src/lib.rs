//! The Postgres pool of a service, its migrations and transactions, and the mapping of database errors.

mod migrate;
mod pool;
mod sqlstate;
mod standby;
mod start;
mod tables;
mod transaction;
mod wait;

use std::{ops::RangeInclusive, time::Duration};

use sqlx::{
    Connection as _, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

pub use migrate::{migrate, wait_until_migrated};
pub use pool::{Connection, Connections, Pool};
pub use sqlstate::is_refused_for_now;
pub use standby::Standby;
pub use start::at_start;
pub use tables::migrator;
pub use transaction::Transaction;
pub use wait::record as record_pool;

use primitives::error::{ErrorKind, NOT_WRITABLE, STORAGE_REFUSALS};

use self::sqlstate::Refusal;

/// A connection that was idle for less time is not pinged before use: sqlx pinged it on release, and each ping is a
/// round trip, a sixth of the cost of a page of posts.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

/// The time after which a connection above the minimum is closed.
const IDLE_TIMEOUT: Duration = Duration::from_mins(10);

/// The connection settings of a service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address and role.
    pub options: PgConnectOptions,
    /// The schema the service owns.
    pub schema: &'static str,
    /// Connections and timeouts.
    pub limits: Limits,
}

/// The connections and timeouts of a process.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections: minimum and maximum.
    pub connections: RangeInclusive<u32>,
    /// The maximum wait of a request for a connection.
    pub acquire_timeout: Duration,
    /// The maximum duration of a statement. No deadline of a request is longer than twice this.
    pub statement_timeout: Duration,
}

impl Limits {
    /// The limits of a process that serves requests. The gateway gives reads 2 s: the database gives up before the
    /// caller, and a request that got no connection is still answered.
    #[must_use]
    pub const fn for_requests(connections: RangeInclusive<u32>) -> Self {
        Self { connections, acquire_timeout: Duration::from_secs(1), statement_timeout: Duration::from_millis(1_900) }
    }
}

/// Opens the pool. It connects in the background, so that an unavailable database does not delay the start, and keeps
/// its connections: authentication takes 4,096 rounds of hashing, during which sqlx yields to other tasks. In a busy
/// process that takes longer than the deadline of a request.
#[must_use]
pub fn pool(settings: &Settings) -> PgPool {
    opening(settings).connect_lazy_with(options(settings, settings.schema))
}

/// The pool of a standby, which has a name of its own in metrics. `connected` is called after each new connection.
fn pool_of_standby(settings: &Settings, connected: impl Fn() + Send + Sync + 'static) -> PgPool {
    let name = format!("{}_standby", settings.schema);
    let opening = opening(settings).after_connect(move |_, _| {
        connected();
        Box::pin(async { Ok(()) })
    });
    opening.connect_lazy_with(options(settings, &name))
}

/// Returns the options of a connection to Postgres itself.
fn options(settings: &Settings, name: &str) -> PgConnectOptions {
    let limits = &settings.limits;
    let options = settings.options.clone().options([
        ("statement_timeout", limits.statement_timeout.as_millis().to_string()),
        // bootstrap.sql sets it for the role of a service; any other role has none.
        ("search_path", search_path(settings.schema)),
        // A request reads some hundred rows. When the planner expects more, compilation takes a second and gains
        // nothing.
        ("jit", "off".to_owned()),
    ]);
    options.application_name(name)
}

/// Like [`pool`], through a connection pooler in transaction mode. It accepts no settings of a connection and sets them itself: see
/// deploy/manual/sizing.md.
#[must_use]
pub fn pool_of_pooler(settings: &Settings) -> PgPool {
    opening(settings).connect_lazy_with(settings.options.clone().application_name(settings.schema))
}

fn opening(settings: &Settings) -> PgPoolOptions {
    let limits = &settings.limits;
    // Connections above the minimum are for a time of load.
    let idle_timeout = (limits.connections.start() < limits.connections.end()).then_some(IDLE_TIMEOUT);
    PgPoolOptions::new()
        .min_connections(*limits.connections.start())
        .max_connections(*limits.connections.end())
        .acquire_timeout(limits.acquire_timeout)
        .idle_timeout(idle_timeout)
        .max_lifetime(None)
        .test_before_acquire(false)
        .before_acquire(|connection, metadata| {
            Box::pin(async move {
                if metadata.idle_for >= PING_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// Finds the operators of extensions, which SQL cannot qualify readably.
fn search_path(schema: &str) -> String {
    format!("{schema},ext")
}

/// Waits, with a timeout, until the pool has `ready` connections, so that the first requests do not open them.
pub async fn warm(pool: &PgPool, ready: u32, timeout: Duration) {
    let give_up = tokio::time::Instant::now() + timeout;
    while pool.size() < ready && tokio::time::Instant::now() < give_up {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Acquires a connection for statements without a transaction: to a standby, if the pool has one and the call only
/// reads.
///
/// # Errors
/// When the pool has no connection.
pub async fn acquire(pool: &impl Connections) -> Result<Connection, sqlx::Error> {
    pool.lend_for_statements().await
}

/// Like [`acquire`], always to the primary: for data that is compared with copies in memory, which follow the primary.
///
/// # Errors
/// When the pool has no connection.
pub async fn acquire_at_primary(pool: &impl Connections) -> Result<Connection, sqlx::Error> {
    pool.lend().await
}

/// Begins a transaction. Only the RPC that began it commits.
///
/// # Errors
/// When the pool has no connection.
pub async fn begin(pool: &impl Connections) -> Result<Transaction, Error> {
    Ok(begin_plain(pool).await?)
}

/// Like [`begin`], with the error of sqlx.
///
/// # Errors
/// As [`begin`].
pub async fn begin_plain(pool: &impl Connections) -> Result<Transaction, sqlx::Error> {
    Transaction::begin(pool, None).await
}

/// Begins a transaction that fails when it waits for a lock for long. It fails before Postgres looks for a deadlock, so
/// that Postgres does not end the transaction of a request that waits for this one.
///
/// # Errors
/// When the pool has no connection.
pub async fn begin_yielding(pool: &impl Connections) -> Result<Transaction, sqlx::Error> {
    Transaction::begin(pool, Some("begin; set local lock_timeout = '200ms'")).await
}

/// Begins a transaction whose statements read tables by their indexes. Postgres plans a statement once for a connection: for a table that
/// is empty at that time it plans to read all of it, and does so until the next analyze, however much the table grows.
///
/// # Errors
/// When the pool has no connection.
pub async fn begin_indexed(pool: &impl Connections) -> Result<Transaction, sqlx::Error> {
    Transaction::begin(pool, Some("begin; set local enable_seqscan = off")).await
}

/// Begins a read-only transaction on one snapshot.
///
/// # Errors
/// When the pool has no connection.
pub async fn begin_snapshot(pool: &impl Connections) -> Result<Transaction, sqlx::Error> {
    Transaction::begin(pool, Some("begin isolation level repeatable read, read only")).await
}

/// A database error, as far as a caller can react to it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A named constraint refused the row (SQLSTATE class 23).
    #[error("the constraint {name} refused it")]
    Constraint {
        /// The name of the constraint. Services map it to their own errors.
        name: String,
        /// The error of Postgres.
        #[source]
        source: sqlx::Error,
    },
    /// A value that Postgres cannot store (SQLSTATE class 22).
    #[error("a value cannot be stored")]
    Value(#[source] sqlx::Error),
    /// The statement ran too long.
    #[error("the database took too long")]
    Timeout(#[source] sqlx::Error),
    /// The database reads and cannot write: its disk is full, or it became a standby. A later retry may succeed.
    #[error("the database cannot write")]
    NotWritable(#[source] sqlx::Error),
    /// No connection, or a transaction that lost against another one. A retry may succeed.
    #[error("the database is unavailable")]
    Unavailable(#[source] sqlx::Error),
    /// Any other error is a bug.
    #[error("a statement failed")]
    Other(#[source] sqlx::Error),
}

impl Error {
    /// How a caller can react.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::Constraint { .. } | Self::Value(_) => ErrorKind::Invalid,
            Self::Timeout(_) => ErrorKind::Timeout,
            Self::NotWritable(_) | Self::Unavailable(_) => ErrorKind::Unavailable,
            Self::Other(_) => ErrorKind::Internal,
        }
    }

    /// A stable name for programs.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Constraint { .. } => STORAGE_REFUSALS[0],
            Self::Value(_) => STORAGE_REFUSALS[1],
            Self::Timeout(_) => "DATABASE_TIMEOUT",
            Self::NotWritable(_) => NOT_WRITABLE,
            Self::Unavailable(_) => "DATABASE_UNAVAILABLE",
            Self::Other(_) => "DATABASE",
        }
    }

    /// The name of the violated constraint.
    #[must_use]
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Constraint { name, .. } => Some(name),
            _ => None,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let sqlstate = error.as_database_error().and_then(|e| e.code()).map(|code| code.into_owned());
        if let Some(sqlstate) = &sqlstate {
            // Marks the span of the statement.
            tracing::debug!(target: "db::failure", sqlstate, "a statement failed");
        }
        match (&error, sqlstate.as_deref()) {
            (_, Some(code)) if code.starts_with("23") => {
                let name = error.as_database_error().and_then(|e| e.constraint()).unwrap_or_default().to_owned();
                Self::Constraint { name, source: error }
            }
            (_, Some(code)) if code.starts_with("22") => Self::Value(error),
            (_, Some("57014")) => Self::Timeout(error),
            (_, Some(code)) if Refusal::of(code) == Some(Refusal::NotWritable) => Self::NotWritable(error),
            // Of class 40: serialisation failures and deadlocks.
            (_, Some(code)) if code.starts_with("40") || is_refused_for_now(code) => Self::Unavailable(error),
            (sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) | sqlx::Error::Tls(_), _) => {
                Self::Unavailable(error)
            }
            (sqlx::Error::Protocol(message), _) if ended_in_handshake(message) => Self::Unavailable(error),
            _ => Self::Other(error),
        }
    }
}

/// A balancer in front of a Postgres that is gone accepts a connection and closes it, which sqlx reports as a wrong answer to its first
/// message. Other errors of the protocol are bugs.
fn ended_in_handshake(message: &str) -> bool {
    message.starts_with("unexpected response from SSLRequest")
}
