//! The tables of libraries, which several schemas have.

use std::borrow::Cow;

use sqlx::{
    AssertSqlSafe, SqlSafeStr as _,
    migrate::{Migration, Migrator},
};

/// Returns the migrations of a service: its `own`, and those of the libraries with tables in its schema, in the order of their
/// versions. `{schema}` in statements of a library is the schema of the service.
#[must_use]
pub fn migrator(schema: &str, own: Migrator, libraries: &[&Migrator]) -> Migrator {
    let templates = libraries.iter().flat_map(|tables| tables.iter());
    let mut migrations: Vec<Migration> = templates.map(|template| in_schema(schema, template)).collect();
    migrations.extend_from_slice(&own.migrations);
    migrations.sort_by_key(|migration| migration.version);
    Migrator { migrations: Cow::Owned(migrations), ..own }
}

fn in_schema(schema: &str, template: &Migration) -> Migration {
    let sql = AssertSqlSafe(template.sql.as_str().replace("{schema}", schema)).into_sql_str();
    Migration::new(template.version, template.description.clone(), template.migration_type, sql, template.no_tx)
}
