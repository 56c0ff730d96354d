//! The migrations of the outbox tables, which every schema of a service has.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, SqlSafeStr as _,
    migrate::{Migration, Migrator},
};

/// In their statements, `{schema}` is the schema of a service.
static TEMPLATES: Migrator = sqlx::migrate!();

/// Returns the migrations of the outbox tables in `schema` and the service's `own` migrations, in the order of their versions.
#[must_use]
pub fn migrator(schema: &str, own: Migrator) -> Migrator {
    let mut migrations: Vec<Migration> = TEMPLATES.iter().map(|template| in_schema(schema, template)).collect();
    migrations.extend_from_slice(&own.migrations);
    migrations.sort_by_key(|migration| migration.version);
    Migrator { migrations: Cow::Owned(migrations), ..own }
}

fn in_schema(schema: &str, template: &Migration) -> Migration {
    let sql = AssertSqlSafe(template.sql.as_str().replace("{schema}", schema)).into_sql_str();
    Migration::new(template.version, template.description.clone(), template.migration_type, sql, template.no_tx)
}
