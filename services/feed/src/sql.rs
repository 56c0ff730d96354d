//! Statements as values, so that a test can read the plan instead of the rows.

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Map,
};

/// A statement with bound arguments.
pub type Statement<M> = Map<'static, Postgres, M, PgArguments>;

/// Converts a database row to a `T`.
pub trait Mapper<T>: FnMut(PgRow) -> sqlx::Result<T> + Send {}
impl<T, F: FnMut(PgRow) -> sqlx::Result<T> + Send> Mapper<T> for F {}
