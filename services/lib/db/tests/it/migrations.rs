//! Migrations: a schema of another version is refused, and a long migration delays only its own schema.

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

/// A migration that waits for the row lock of the test.
fn blocked() -> Migrator {
    let gate = Migration::new(
        1,
        Cow::Borrowed("gate"),
        MigrationType::Simple,
        "create table feed.gate ()".into_sql_str(),
        false,
    );
    let sql = "lock table feed.gate".into_sql_str();
    let waiting = Migration::new(2, Cow::Borrowed("waiting"), MigrationType::Simple, sql, false);
    Migrator::with_migrations(vec![gate, waiting])
}

#[tokio::test]
async fn a_long_migration_delays_the_replicas_of_its_service_and_no_other_service() {
    let timeout = Duration::from_secs(30);
    let first = Migrator::with_migrations(vec![blocked().iter().next().unwrap().clone()]);
    let database = Database::fresh("feed", &first).await;
    let settings = |schema: &'static str| Settings {
        options: database.options_as(schema),
        schema,
        limits: Limits::for_requests(0..=1),
    };
    let mut gate = db::begin(database.pool()).await.unwrap();
    sqlx::raw_sql("lock table feed.gate").execute(&mut *gate).await.unwrap();
    let (feed, blocked) = (settings("feed"), blocked());
    let waiting = async |count: i64| {
        let sql = "select count(*) from pg_locks l join pg_database d on d.oid = l.database
            where not l.granted and d.datname = current_database()";
        while sqlx::query_scalar::<_, i64>(sql).fetch_one(database.pool()).await.unwrap() != count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let other_service = async {
        // One waits for the table, the other one for the migration.
        waiting(2).await;
        db::migrate(&settings("profile"), &Migrator::with_migrations(vec![]), timeout).await.unwrap();
        waiting(2).await;
        gate.commit().await.unwrap();
    };
    let migrate = || db::migrate(&feed, &blocked, timeout);
    let (one, two, ()) = tokio::join!(migrate(), migrate(), other_service);
    one.unwrap();
    two.unwrap();
}
