//! A schema of another version is refused.

use std::{borrow::Cow, time::Duration};

use db::{Limits, Settings};
use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};
use testkit::Database;

fn migrator(version: i64) -> Migrator {
    let sql = "create table feed.items (id bigint)".into_sql_str();
    let migration = Migration::new(version, Cow::Borrowed("items"), MigrationType::Simple, sql, false);
    Migrator::with_migrations(vec![migration])
}

#[tokio::test]
async fn a_schema_of_another_version_is_refused_with_advice() {
    let database = Database::fresh("feed", &migrator(1)).await;
    let settings = Settings { options: database.options(), schema: "feed", limits: Limits::for_requests(0..=1) };
    let timeout = Duration::from_secs(30);
    db::migrate(&settings, &migrator(1), timeout).await.unwrap();
    let error = db::migrate(&settings, &migrator(2), timeout).await.unwrap_err().to_string();
    assert!(error.contains("another version of Portia") && error.contains("--data"), "{error}");
}
