//! Migrations: a schema of another version is refused, and a long migration delays only its own schema.

use std::{borrow::Cow, time::Duration};

use db::{Limits, Settings};
use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};
use testkit::Database;

/// With the role of migrations.
fn migrating(database: &Database) -> Settings {
    Settings { options: database.options_as("migrate"), schema: "feed", limits: Limits::for_requests(0..=1) }
}

/// With the role that serves.
fn serving(database: &Database) -> Settings {
    Settings { options: database.options(), ..migrating(database) }
}

fn migrator(version: i64) -> Migrator {
    let sql = "create table feed.items (id bigint)".into_sql_str();
    let migration = Migration::new(version, Cow::Borrowed("items"), MigrationType::Simple, sql, false);
    Migrator::with_migrations(vec![migration])
}

#[tokio::test]
async fn a_schema_of_another_version_is_refused_with_advice() {
    let database = Database::fresh("feed", &migrator(1)).await;
    let settings = migrating(&database);
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
    let settings = |schema: &'static str| Settings { schema, ..migrating(&database) };
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
        // The other one looks at the lock of the migration from time to time.
        waiting(1).await;
        db::migrate(&settings("profile"), &Migrator::with_migrations(vec![]), timeout).await.unwrap();
        waiting(1).await;
        gate.commit().await.unwrap();
    };
    let migrate = || db::migrate(&feed, &blocked, timeout);
    let (one, two, ()) = tokio::join!(migrate(), migrate(), other_service);
    one.unwrap();
    two.unwrap();
}

/// A migration that is no transaction, as `-- no-transaction` in its first line makes it.
fn outside_of_a_transaction(version: i64, sql: &'static str) -> Migration {
    Migration::new(version, Cow::Borrowed("outside"), MigrationType::Simple, sql.into_sql_str(), true)
}

fn in_a_transaction(version: i64, sql: &'static str) -> Migration {
    Migration::new(version, Cow::Borrowed("inside"), MigrationType::Simple, sql.into_sql_str(), false)
}

/// The migrations of a release, and those of a later one with `more`.
fn releases(more: &'static str) -> (Migrator, Migrator) {
    let first = in_a_transaction(10, "create table feed.items (id bigint)");
    let second = in_a_transaction(20, more);
    (Migrator::with_migrations(vec![first.clone()]), Migrator::with_migrations(vec![first, second]))
}

const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_release_starts_on_the_schema_of_a_later_one_that_admits_it() {
    let (earlier, later) = releases("alter table feed.items add column name text");
    let database = Database::fresh("feed", &earlier).await;
    let settings = migrating(&database);
    db::migrate(&settings, &later, TIMEOUT).await.unwrap();
    db::wait_until_migrated(&serving(&database), &earlier, TIMEOUT).await.unwrap();
    // Its own `portia migrate` changes nothing.
    db::migrate(&settings, &earlier, TIMEOUT).await.unwrap();
    db::wait_until_migrated(&serving(&database), &later, TIMEOUT).await.unwrap();
}

#[tokio::test]
async fn a_release_that_a_later_schema_does_not_admit_is_refused() {
    let (earlier, later) =
        releases("alter table feed.items drop column id; update feed.compatibility set oldest = 20 where id = 1");
    let database = Database::fresh("feed", &earlier).await;
    let settings = migrating(&database);
    db::migrate(&settings, &later, TIMEOUT).await.unwrap();
    for refused in [
        db::wait_until_migrated(&serving(&database), &earlier, TIMEOUT).await,
        db::migrate(&settings, &earlier, TIMEOUT).await,
    ] {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("a later version of Portia") && error.contains("migration 20"), "{error}");
    }
    db::wait_until_migrated(&serving(&database), &later, TIMEOUT).await.unwrap();
}

#[tokio::test]
async fn a_service_waits_for_the_migrations_of_its_version() {
    let (earlier, later) = releases("create table feed.more ()");
    let database = Database::fresh("feed", &earlier).await;
    let (settings, serving) = (migrating(&database), serving(&database));
    let error = db::wait_until_migrated(&serving, &later, Duration::ZERO).await.unwrap_err().to_string();
    assert!(error.contains("`portia migrate`"), "{error}");
    let (waited, migrated) =
        tokio::join!(db::wait_until_migrated(&serving, &later, TIMEOUT), db::migrate(&settings, &later, TIMEOUT));
    waited.unwrap();
    migrated.unwrap();
}

#[tokio::test]
async fn a_service_waits_for_its_migrations_although_its_connection_ends() {
    let (earlier, later) = releases("create table feed.more ()");
    let database = Database::fresh("feed", &earlier).await;
    let (settings, serving) = (migrating(&database), serving(&database));
    let interrupted = async {
        let sql = "select count(pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and application_name = 'migrate'";
        while sqlx::query_scalar::<_, i64>(sql).fetch_one(database.pool()).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        db::migrate(&settings, &later, TIMEOUT).await.unwrap();
    };
    let (waited, ()) = tokio::join!(db::wait_until_migrated(&serving, &later, TIMEOUT), interrupted);
    waited.unwrap();
}

#[tokio::test]
async fn an_index_is_built_concurrently_while_another_migration_waits() {
    let (earlier, _) = releases("");
    let database = Database::fresh("feed", &earlier).await;
    let settings = migrating(&database);
    // A failed attempt left an index of this name that is not used.
    sqlx::raw_sql("insert into feed.items (id) values (1), (1)").execute(database.pool()).await.unwrap();
    sqlx::raw_sql("create unique index concurrently items_id_idx on feed.items (id)")
        .execute(&mut database.as_owner().await)
        .await
        .unwrap_err();
    let index = outside_of_a_transaction(20, "create index concurrently items_id_idx on feed.items (id)");
    let later = Migrator::with_migrations(earlier.iter().cloned().chain([index]).collect());
    let migrate = || db::migrate(&settings, &later, TIMEOUT);
    let (one, two, three) = tokio::join!(migrate(), migrate(), migrate());
    for migrated in [one, two, three] {
        migrated.unwrap();
    }
    let valid = "select bool_and(indisvalid) from pg_index where indexrelid = 'feed.items_id_idx'::regclass";
    assert!(sqlx::query_scalar::<_, bool>(valid).fetch_one(database.pool()).await.unwrap());
}

#[tokio::test]
async fn a_migration_that_gets_no_lock_lets_requests_pass_and_is_tried_again() {
    let (earlier, later) = releases("alter table feed.items add column name text");
    let database = Database::fresh("feed", &earlier).await;
    let settings = migrating(&database);
    let mut reader = db::begin(database.pool()).await.unwrap();
    sqlx::raw_sql("select from feed.items").execute(&mut *reader).await.unwrap();
    let requests = async {
        let waits = "select exists (select from pg_locks where not granted and relation = 'feed.items'::regclass)";
        let waiting = async |expected: bool| {
            while sqlx::query_scalar::<_, bool>(waits).fetch_one(database.pool()).await.unwrap() != expected {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        waiting(true).await;
        // It would wait until the reader ends without the limit.
        sqlx::raw_sql("select from feed.items").execute(database.pool()).await.unwrap();
        waiting(false).await;
        reader.commit().await.unwrap();
    };
    let (migrated, ()) = tokio::join!(db::migrate(&settings, &later, TIMEOUT), requests);
    migrated.unwrap();
    sqlx::raw_sql("select name from feed.items").execute(database.pool()).await.unwrap();
}
