//! The outbox tables alone in a schema: for tests of libraries, which know no service.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// The template of every service's migration.
const REFERENCE: &str = include_str!("../../outbox/outbox.sql");

/// The outbox tables for the service of `schema`.
#[must_use]
pub fn outbox_sql(schema: &str) -> String {
    REFERENCE.replace("{schema}", schema)
}

/// Creates the outbox tables in `schema`, and `more` (SQL for the tables of a test).
#[must_use]
pub fn outbox_tables(schema: &str, more: &str) -> Migrator {
    let sql = format!("{}\n{more}", outbox_sql(schema));
    let sql = AssertSqlSafe(sql).into_sql_str();
    let migration = Migration::new(1, Cow::Borrowed("outbox"), MigrationType::Simple, sql, false);
    Migrator::with_migrations(vec![migration])
}
