//! Statements as values, so that a test can read the plan instead of the rows, and how long what they read is kept.

use std::time::Duration;

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};

/// The longest use of what was read in one version of its rows (`xmin`). Numbers of transactions may be assigned again, after some
/// billions, or by another database server that took over without the last transactions.
pub const MAX_AGE_OF_VERSION: Duration = Duration::from_secs(300);

/// A statement with bound arguments.
pub type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// Converts a database row to a `T`.
pub trait Mapper<T>: FnMut(PgRow) -> sqlx::Result<T> + Send {}
impl<T, F: FnMut(PgRow) -> sqlx::Result<T> + Send> Mapper<T> for F {}
