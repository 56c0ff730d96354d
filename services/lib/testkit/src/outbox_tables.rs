//! The outbox tables alone in a schema: for tests of libraries, which know no service.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// Creates the outbox tables in `schema`, then runs `more` (SQL for the tables of a test).
#[must_use]
pub fn outbox_tables(schema: &str, more: &str) -> Migrator {
    let sql = AssertSqlSafe(more.to_owned()).into_sql_str();
    let tables = Migration::new(i64::MAX, Cow::Borrowed("test"), MigrationType::Simple, sql, false);
    db::migrator(schema, Migrator::with_migrations(vec![tables]), &[&outbox::TABLES])
}
