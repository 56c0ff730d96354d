//! The connections that requests pass on to each other.

use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection, migrate::Migrator};
use testkit::Database;
use tokio::time::timeout;

static NO_TABLES: Migrator = Migrator::DEFAULT;

/// Far longer than anything here takes.
const LONG: Duration = Duration::from_secs(60);

struct Fixture {
    database: Database,
    pool: db::Pool,
}

impl Fixture {
    async fn with_connections(most: u32) -> Self {
        let database = Database::fresh("feed", &NO_TABLES).await;
        let limits = db::Limits { acquire_timeout: LONG, ..db::Limits::for_requests(0..=most) };
        let pool = db::Pool::of(&db::pool(&db::Settings { options: database.options(), schema: "feed", limits }));
        Self { database, pool }
    }
}

async fn backend(connection: &mut PgConnection) -> i32 {
    sqlx::query_scalar("select pg_backend_pid()").fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn a_request_gets_the_connection_of_the_last_one_without_sqlx() {
    let Fixture { pool, database: _database } = Fixture::with_connections(3).await;
    let is_passed_on = async || {
        let mut connection = db::acquire(&pool).await.unwrap();
        let first = backend(&mut connection).await;
        drop(connection);
        let sqlx_has_it = pool.num_idle() == 1;
        let mut tx = db::begin(&pool).await.unwrap();
        let same = backend(&mut tx).await == first;
        tx.commit().await.unwrap();
        same && !sqlx_has_it
    };
    let passed_on = async {
        // Its time may be over just now.
        while !is_passed_on().await {
            testkit::pause().await;
        }
    };
    timeout(LONG, passed_on).await.expect("connections are passed on");
    assert_eq!(pool.size(), 1);
    // Unused, it goes back.
    while pool.num_idle() == 0 {
        testkit::pause().await;
    }
}

#[tokio::test]
async fn a_connection_with_an_abandoned_statement_is_not_passed_on() {
    let Fixture { pool, database } = Fixture::with_connections(2).await;
    let mut connection = db::acquire(&pool).await.unwrap();
    let busy = backend(&mut connection).await;
    let sleeping = async {
        let mut connection = connection;
        sqlx::raw_sql("select pg_sleep(600)").execute(&mut *connection).await.unwrap();
    };
    let is_running = async {
        let state = format!(
            "select state = 'active' and query like 'select pg_sleep%' from pg_stat_activity where pid = {busy}"
        );
        while !sqlx::query_scalar::<_, bool>(AssertSqlSafe(state.as_str())).fetch_one(database.pool()).await.unwrap() {
            testkit::pause().await;
        }
    };
    tokio::select! {
        () = sleeping => unreachable!("it sleeps for long"),
        () = is_running => {}
    }
    let mut connection = timeout(LONG, db::acquire(&pool)).await.expect("it does not wait").unwrap();
    assert_ne!(backend(&mut connection).await, busy);
    database.run_as_superuser(format!("select pg_terminate_backend({busy})")).await;
}

#[tokio::test]
async fn a_waiting_request_gets_a_connection_that_another_one_leaves() {
    let Fixture { pool, database: _database } = Fixture::with_connections(1).await;
    let mut connection = db::acquire(&pool).await.unwrap();
    let first = backend(&mut connection).await;
    let waiting = tokio::spawn({
        let pool = pool.clone();
        async move {
            let mut connection = db::acquire(&pool).await.unwrap();
            backend(&mut connection).await
        }
    });
    testkit::pause().await;
    drop(connection);
    assert_eq!(waiting.await.unwrap(), first);
    // A caller that waits in sqlx gets it too.
    let next: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&*pool).await.unwrap();
    assert_eq!(next, first);
}

#[tokio::test]
async fn no_connection_is_closed_because_another_one_came_first() {
    let Fixture { pool, database: _database } = Fixture::with_connections(2).await;
    let [one, other] = [db::acquire(&pool).await.unwrap(), db::acquire(&pool).await.unwrap()];
    drop((one, other));
    // The time after which sqlx tests a connection before it gives it out.
    while pool.num_idle() < 2 {
        testkit::pause().await;
    }
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    for _ in 0..50 {
        let first = db::acquire(&pool).await.unwrap();
        let second = db::acquire(&pool);
        let (second, ()) = tokio::join!(second, async { drop(first) });
        drop(second.unwrap());
        assert_eq!(pool.size(), 2);
    }
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back_before_the_next_statement() {
    let Fixture { pool, database } = Fixture::with_connections(1).await;
    database.run_as_owner("create table feed.items (n bigint)").await;
    for committed in [false, true] {
        let mut tx = db::begin(&pool).await.unwrap();
        sqlx::raw_sql("insert into feed.items values (1)").execute(&mut *tx).await.unwrap();
        if committed {
            tx.commit().await.unwrap();
        }
    }
    let mut connection = db::acquire(&pool).await.unwrap();
    let rows: i64 = sqlx::query_scalar("select count(*) from feed.items").fetch_one(&mut *connection).await.unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn a_closing_pool_gets_its_connections_back() {
    let Fixture { pool, database: _database } = Fixture::with_connections(3).await;
    drop(db::acquire(&pool).await.unwrap());
    timeout(LONG, pool.close()).await.expect("it closes");
    assert!(db::acquire(&pool).await.is_err());
}
