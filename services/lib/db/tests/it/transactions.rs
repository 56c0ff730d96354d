//! Transactions: a cancelled begin leaves no open transaction.

use std::time::Duration;

use sqlx::{PgPool, migrate::Migrator, postgres::PgPoolOptions};
use testkit::Database;
use tokio::time::timeout;

static NO_TABLES: Migrator = Migrator::DEFAULT;

/// The number of callers, cancelled at every moment from before BEGIN is sent until after its response.
const CALLERS: i64 = 400;

#[tokio::test]
async fn a_cancelled_begin_leaves_no_open_transaction() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let only = db::Pool::of(&one_connection(&database).await);
    let other = one_connection(&database).await;
    database.run_as_owner("create table feed.items (n bigint primary key)").await;
    let mut cancelled = 0;
    for n in 1..=CALLERS {
        let time = Duration::from_micros(n.unsigned_abs() * 5);
        let begun = timeout(time, async {
            let mut tx = db::begin(&only).await.unwrap();
            sqlx::raw_sql("select pg_sleep(0.001)").execute(&mut *tx).await.unwrap();
        });
        cancelled += i64::from(begun.await.is_err());
        sqlx::raw_sql("insert into feed.items (n) select count(*) from feed.items").execute(&*only).await.unwrap();
        let seen: i64 = sqlx::query_scalar("select count(*) from feed.items").fetch_one(&other).await.unwrap();
        assert_eq!(seen, n, "a single statement was not committed: the previous caller left a transaction open");
    }
    assert!(cancelled > CALLERS / 4, "only {cancelled} calls were cancelled");
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
async fn an_idle_connection_that_broke_is_replaced_before_use() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let limits = db::Limits { acquire_timeout: Duration::from_secs(30), ..db::Limits::for_requests(1..=1) };
    let pool = db::pool(&db::Settings { options: database.options(), schema: "feed", limits });
    let backend = async || {
        sqlx::query_scalar::<_, i32>("select pg_backend_pid()").fetch_one(&pool).await.expect("a living connection")
    };
    let died = backend().await;
    database.run(format!("select pg_terminate_backend({died})")).await;
    // Longer than the time without a ping.
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    assert_ne!(backend().await, died);
}
