//! The tables facts travel through, alone in a schema: for tests of the frame, which knows no service.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// What every service's first migration is copied from.
const REFERENCE: &str = include_str!("../../outbox/outbox.sql");

/// The outbox's migration as the service of `schema` has it.
#[must_use]
pub fn outbox_sql(schema: &str) -> String {
    REFERENCE.replace("{schema}", schema)
}

/// The outbox's tables in `schema`, and `more` (SQL for the tables of a test's own).
#[must_use]
pub fn outbox_tables(schema: &str, more: &str) -> Migrator {
    let sql = format!("{}\n{more}", outbox_sql(schema));
    let sql = AssertSqlSafe(sql).into_sql_str();
    let migration = Migration::new(1, Cow::Borrowed("outbox"), MigrationType::Simple, sql, false);
    Migrator::with_migrations(vec![migration])
}
