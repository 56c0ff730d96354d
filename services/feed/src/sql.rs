//! A statement before it runs, so that a test can ask for its plan instead of its rows.

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};

/// A statement with everything bound, ready to run.
pub(crate) type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// What turns a database row into a `T`.
pub(crate) trait Mapper<T>: FnMut(PgRow) -> sqlx::Result<T> + Send {}
impl<T, F: FnMut(PgRow) -> sqlx::Result<T> + Send> Mapper<T> for F {}
