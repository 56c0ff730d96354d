//! The role that serves reads and writes rows of its schema, and changes nothing else.

use std::time::Duration;

use db::{Limits, Settings};
use sqlx::{AssertSqlSafe, PgPool, migrate::Migrator};
use testkit::{Database, outbox_tables};

const TIMEOUT: Duration = Duration::from_secs(30);
/// The SQLSTATE of a missing permission.
const DENIED: &str = "42501";

fn migrator(more: &str) -> Migrator {
    outbox_tables("feed", &format!("create table feed.items (id bigserial primary key, name text); {more}"))
}

fn settings(database: &Database, role: &str) -> Settings {
    Settings { options: database.options_as(role), schema: "feed", limits: Limits::for_requests(0..=1) }
}

async fn refusal(pool: &PgPool, statement: &str) -> Option<String> {
    let done = sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(pool).await;
    let refused = done.err()?;
    refused.as_database_error()?.code().map(|code| code.into_owned())
}

#[tokio::test]
async fn a_service_writes_rows_and_cannot_change_its_tables() {
    let database = Database::fresh("feed", &migrator("")).await;
    for permitted in [
        "insert into feed.items (name) values ('one')",
        "update feed.items set name = 'two'",
        "select * from feed.items for update",
        "insert into feed.items (id, name) values (1, 'three') on conflict (id) do update set name = excluded.name",
        "delete from feed.items",
        "select version from feed._sqlx_migrations",
        "listen anything",
        "select pg_notify('anything', ''), pg_advisory_xact_lock(1)",
    ] {
        assert_eq!(refusal(database.pool(), permitted).await, None, "{permitted}");
    }
    for refused in [
        "alter table feed.items add column more text",
        "alter table feed.items disable row level security",
        "alter table feed.items owner to portia_feed",
        "create index on feed.items (name)",
        "create table feed.mine (id int)",
        "create function feed.mine() returns int language sql as 'select 1'",
        "create temporary table mine (id int)",
        "drop table feed.items",
        "truncate feed.items",
        "select setval('feed.items_id_seq', 1)",
        "create trigger mine before insert on feed.items for each row execute function suppress_redundant_updates_trigger()",
        "update feed._sqlx_migrations set checksum = ''",
        "delete from feed._sqlx_migrations",
        "insert into feed._sqlx_migrations select * from feed._sqlx_migrations",
        "set role portia_feed_owner",
        "set role portia_migrate",
        "set session_replication_role = replica",
    ] {
        let code = refusal(database.pool(), refused).await;
        assert_eq!(code.as_deref(), Some(DENIED), "{refused}");
    }
}

#[tokio::test]
async fn tables_of_a_later_migration_are_granted_by_themselves() {
    let earlier = migrator("");
    let database = Database::fresh("feed", &earlier).await;
    let more = sqlx::migrate::Migration::new(
        2,
        "more".into(),
        sqlx::migrate::MigrationType::Simple,
        sqlx::SqlSafeStr::into_sql_str("create table feed.more (id bigserial primary key)"),
        false,
    );
    let later = Migrator::with_migrations(earlier.iter().cloned().chain([more]).collect());
    db::migrate(&settings(&database, "migrate"), &later, TIMEOUT).await.unwrap();
    assert_eq!(refusal(database.pool(), "insert into feed.more default values").await, None);
    assert_eq!(refusal(database.pool(), "drop table feed.more").await.as_deref(), Some(DENIED));
}

#[tokio::test]
async fn the_role_that_serves_is_refused_for_migrations_with_advice() {
    let earlier = migrator("");
    let database = Database::fresh("feed", &earlier).await;
    db::migrate(&settings(&database, "feed"), &earlier, TIMEOUT).await.unwrap();
    let lacking = Database::fresh("feed", &Migrator::with_migrations(vec![])).await;
    let error = db::migrate(&settings(&lacking, "feed"), &earlier, TIMEOUT).await.unwrap_err().to_string();
    assert!(
        error.contains("portia_feed may not migrate") && error.contains("PORTIA_MIGRATION_DATABASE_URL"),
        "{error}"
    );
}

#[tokio::test]
async fn a_schema_of_the_role_that_serves_is_not_migrated_before_bootstrap_sql() {
    let earlier = migrator("");
    let database = Database::fresh("feed", &earlier).await;
    database.run_as_superuser("alter schema feed owner to portia_feed").await;
    let error = db::migrate(&settings(&database, "feed"), &earlier, TIMEOUT).await.unwrap_err().to_string();
    assert!(error.contains("run bootstrap.sql"), "{error}");
}
