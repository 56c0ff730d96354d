//! Represents statements as values, so that a test can read the plan instead of the rows, and limits how long their
//! results are kept.

use std::time::Duration;

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};

/// The maximum time for which data may be used under one version of its rows (`xmin`). Postgres reuses transaction
/// numbers after some billions, or after a failover to a server that lacks the last transactions.
pub const MAX_AGE_OF_VERSION: Duration = Duration::from_secs(300);

/// A statement with bound arguments.
pub type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// Converts a database row to a `T`.
pub trait Mapper<T>: FnMut(PgRow) -> sqlx::Result<T> + Send {}
impl<T, F: FnMut(PgRow) -> sqlx::Result<T> + Send> Mapper<T> for F {}
