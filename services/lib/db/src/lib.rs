//! One Postgres pool a service, its migrations, and what a database error means to a caller.

use std::{ops::RangeInclusive, time::Duration};

use sqlx::{
    Connection as _, PgPool, Postgres, Transaction,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tracing::Instrument as _;

use primitives::error::{ErrorKind, STORAGE_REFUSALS};

/// sqlx asks a connection whether it is alive whenever it is given back. For so long nobody need ask again: each time is a
/// round trip, a sixth of what a page of posts costs.
const FRESH: Duration = Duration::from_secs(1);

/// How a service reaches its schema.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where and as whom.
    pub options: PgConnectOptions,
    /// The schema the service owns.
    pub schema: &'static str,
    /// How much of it at a time.
    pub limits: Limits,
}

/// How much of a database a process takes.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections kept ready, and at most.
    pub connections: RangeInclusive<u32>,
    /// The longest a request waits for one of them.
    pub acquire_timeout: Duration,
    /// The longest one statement may run; no request's deadline is longer than twice this.
    pub statement_timeout: Duration,
}

impl Limits {
    /// What a process that members wait for is given. A gateway gives reads 2 s: the database gives up before the caller
    /// does, and whoever waited in vain for a connection can still be told so.
    #[must_use]
    pub const fn for_requests(connections: RangeInclusive<u32>) -> Self {
        Self { connections, acquire_timeout: Duration::from_secs(1), statement_timeout: Duration::from_millis(1_900) }
    }
}

/// Opens the pool. It connects in the background, so a database that is away delays nobody's start, and stays
/// connected: signing in to Postgres takes 4,096 rounds of hashing, between which sqlx lets every other task have its
/// turn. On a busy process that is longer than a request may take, so no request should have to wait for it.
#[must_use]
pub fn pool(settings: &Settings) -> PgPool {
    let limits = &settings.limits;
    let options = settings.options.clone().application_name(settings.schema).options([
        ("statement_timeout", limits.statement_timeout.as_millis().to_string()),
        // As bootstrap.sql sets it for a service's role; one plain role may have none.
        ("search_path", search_path(settings.schema)),
        // A request reads some hundred rows. Where the planner fears more, compiling costs a second and gains nothing.
        ("jit", "off".to_owned()),
    ]);
    PgPoolOptions::new()
        .min_connections(*limits.connections.start())
        .max_connections(*limits.connections.end())
        .acquire_timeout(limits.acquire_timeout)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .before_acquire(|connection, rested| {
            Box::pin(async move {
                if rested.idle_for >= FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options)
}

/// Waits until the database answers, then brings the schema up to date.
///
/// # Errors
/// When it does not answer within `timeout`, or a migration fails.
pub async fn migrate(settings: &Settings, migrator: &Migrator, timeout: Duration) -> anyhow::Result<()> {
    use sqlx::ConnectOptions as _;
    let give_up = tokio::time::Instant::now() + timeout;
    let options = settings.options.clone().application_name("migrate");
    let options = options.options([("search_path", search_path(settings.schema))]);
    let mut connection = loop {
        match options.connect().await {
            Ok(connection) => break connection,
            Err(error) if tokio::time::Instant::now() < give_up => {
                tracing::info!(schema = settings.schema, %error, "waiting for the database");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            Err(error) => anyhow::bail!("the database of {} does not answer: {error}", settings.schema),
        }
    };
    // bootstrap.sql makes schemas and roles. Given one plain role instead, the service makes its own schema and runs
    // without isolation.
    let exists: bool = sqlx::query_scalar("select exists (select from pg_catalog.pg_namespace where nspname = $1)")
        .bind(settings.schema)
        .fetch_one(&mut connection)
        .await?;
    if !exists {
        tracing::warn!(schema = settings.schema, "no schema of its own: made here, without role isolation");
        // Services that start together take turns, as bootstrap.sql does.
        let statements = format!(
            "begin;
            select pg_advisory_xact_lock(hashtextextended('portia.bootstrap', 0));
            create schema if not exists {};
            create schema if not exists ext;
            create extension if not exists pg_trgm schema ext;
            create extension if not exists unaccent schema ext;
            commit",
            settings.schema
        );
        // A schema's name cannot be a parameter; it is a constant of ours.
        sqlx::raw_sql(sqlx::AssertSqlSafe(statements)).execute(&mut connection).await?;
    }
    migrator.run(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Where operators of the extensions are found: the one thing SQL does not name by its schema.
fn search_path(schema: &str) -> String {
    format!("{schema},ext")
}

/// Waits, but not forever, until the connections that are kept ready are: whoever asks first should not have to make one.
pub async fn warm(pool: &PgPool, ready: u32, timeout: Duration) {
    let give_up = tokio::time::Instant::now() + timeout;
    while pool.size() < ready && tokio::time::Instant::now() < give_up {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Begins a transaction; the RPC that began it is the only one to commit.
///
/// # Errors
/// When the pool has no connection to give.
pub async fn begin(pool: &PgPool) -> Result<Transaction<'static, Postgres>, Error> {
    Ok(begin_plain(pool).await?)
}

/// The same, for those who tell sqlx's errors apart themselves.
///
/// # Errors
/// As [`begin`].
pub async fn begin_plain(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    begin_with(pool, None).await
}

/// Begins a transaction that only reads, and sees one moment however long it takes.
///
/// # Errors
/// When the pool has no connection to give.
pub async fn begin_snapshot(pool: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    begin_with(pool, Some("begin isolation level repeatable read, read only")).await
}

/// Waits for the answer to BEGIN in a task of its own, because whoever asked may be gone before it comes: a deadline
/// passes, a caller hangs up. sqlx rolls back only what it knows to have begun, so the connection would go back to the
/// pool with a transaction open that the next one's statements would silently join, and never be committed.
async fn begin_with(
    pool: &PgPool,
    statement: Option<&'static str>,
) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let pool = pool.clone();
    #[expect(clippy::disallowed_methods, reason = "the one place that begins, for the reason above")]
    let begun = async move {
        match statement {
            None => pool.begin().await,
            Some(statement) => pool.begin_with(statement).await,
        }
    };
    tokio::spawn(begun.in_current_span()).await.map_err(|stopped| sqlx::Error::Io(stopped.into()))?
}

/// A database error, as far as a caller can act on it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A named constraint refused the row (SQLSTATE class 23).
    #[error("the constraint {name} refused it")]
    Constraint {
        /// The constraint's name; services map theirs to their own errors.
        name: String,
        /// What Postgres said.
        #[source]
        source: sqlx::Error,
    },
    /// A value Postgres cannot keep (SQLSTATE class 22).
    #[error("a value cannot be stored")]
    Value(#[source] sqlx::Error),
    /// The statement ran too long.
    #[error("the database took too long")]
    Timeout(#[source] sqlx::Error),
    /// No connection, or a transaction that lost against another: trying again may succeed.
    #[error("the database is away")]
    Away(#[source] sqlx::Error),
    /// Anything else is a bug.
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
            Self::Away(_) => ErrorKind::Unavailable,
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
            Self::Away(_) => "DATABASE_AWAY",
            Self::Other(_) => "DATABASE",
        }
    }

    /// The violated constraint's name.
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
        match (&error, sqlstate.as_deref()) {
            (_, Some(code)) if code.starts_with("23") => {
                let name = error.as_database_error().and_then(|e| e.constraint()).unwrap_or_default().to_owned();
                Self::Constraint { name, source: error }
            }
            (_, Some(code)) if code.starts_with("22") => Self::Value(error),
            (_, Some("57014")) => Self::Timeout(error),
            // Serialisation failures, deadlocks, shutting down, too many connections.
            (_, Some(code)) if code.starts_with("40") || code.starts_with("57P") || code.starts_with("53") => {
                Self::Away(error)
            }
            (sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) | sqlx::Error::Tls(_), _) => {
                Self::Away(error)
            }
            _ => Self::Other(error),
        }
    }
}
