//! Transactions: one that was given up on while it began leaves nothing behind.

use std::time::Duration;

use sqlx::{PgPool, migrate::Migrator, postgres::PgPoolOptions};
use testkit::Database;
use tokio::time::timeout;

static NO_TABLES: Migrator = Migrator::DEFAULT;

/// Callers who leave at every moment from before BEGIN is sent until after it is answered.
const LEAVERS: i64 = 400;

#[tokio::test]
async fn who_leaves_while_a_transaction_begins_leaves_no_transaction_to_the_next() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let only = one_connection(&database).await;
    let other = one_connection(&database).await;
    sqlx::raw_sql("create table feed.things (n bigint primary key)").execute(&only).await.unwrap();
    let mut left = 0;
    for n in 1..=LEAVERS {
        let patience = Duration::from_micros(n.unsigned_abs() * 5);
        let begun = timeout(patience, async {
            let mut tx = db::begin(&only).await.unwrap();
            sqlx::raw_sql("select pg_sleep(0.001)").execute(&mut *tx).await.unwrap();
        });
        left += i64::from(begun.await.is_err());
        sqlx::raw_sql("insert into feed.things (n) select count(*) from feed.things").execute(&only).await.unwrap();
        let seen: i64 = sqlx::query_scalar("select count(*) from feed.things").fetch_one(&other).await.unwrap();
        assert_eq!(seen, n, "a statement alone was not committed: the caller before left a transaction");
    }
    assert!(left > LEAVERS / 4, "only {left} left in time to be told apart");
}

async fn one_connection(database: &Database) -> PgPool {
    PgPoolOptions::new().max_connections(1).connect_with(database.options()).await.unwrap()
}

#[tokio::test]
async fn no_request_waits_for_a_plan_to_be_compiled() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let pool = db::pool(&db::Settings {
        options: database.options(),
        schema: "feed",
        limits: db::Limits::for_requests(1..=1),
    });
    let jit: String = sqlx::query_scalar("select current_setting('jit')").fetch_one(&pool).await.unwrap();
    assert_eq!(jit, "off");
}

#[tokio::test]
async fn a_connection_that_died_at_rest_is_replaced_before_it_is_used() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let limits = db::Limits { acquire_timeout: Duration::from_secs(30), ..db::Limits::for_requests(1..=1) };
    let pool = db::pool(&db::Settings { options: database.options(), schema: "feed", limits });
    let backend = async || {
        sqlx::query_scalar::<_, i32>("select pg_backend_pid()").fetch_one(&pool).await.expect("a living connection")
    };
    let died = backend().await;
    database.run(format!("select pg_terminate_backend({died})")).await;
    // Longer than a connection counts as fresh.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_ne!(backend().await, died);
}
