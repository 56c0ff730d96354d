//! The errors that a caller gets when Postgres refuses every statement for now.

use primitives::error::{ErrorKind, NOT_WRITABLE};
use sqlx::{AssertSqlSafe, migrate::Migrator};
use testkit::Database;

static NO_TABLES: Migrator = Migrator::DEFAULT;

#[tokio::test]
async fn a_refusal_of_the_server_is_an_unavailable_database_and_no_bug() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    let pool = sqlx::PgPool::connect_with(database.options()).await.unwrap();
    for (code, kind, reason) in [
        ("53100", ErrorKind::Unavailable, NOT_WRITABLE),
        ("25006", ErrorKind::Unavailable, NOT_WRITABLE),
        ("53200", ErrorKind::Unavailable, "DATABASE_UNAVAILABLE"),
        ("57P03", ErrorKind::Unavailable, "DATABASE_UNAVAILABLE"),
        ("58030", ErrorKind::Unavailable, "DATABASE_UNAVAILABLE"),
        ("40001", ErrorKind::Unavailable, "DATABASE_UNAVAILABLE"),
        ("57014", ErrorKind::Timeout, "DATABASE_TIMEOUT"),
        ("XX002", ErrorKind::Internal, "DATABASE"),
    ] {
        let raised = format!("do $$ begin raise exception 'refused' using errcode = '{code}'; end $$");
        let error = sqlx::raw_sql(AssertSqlSafe(raised)).execute(&pool).await.unwrap_err();
        let error = db::Error::from(error);
        assert_eq!((error.kind(), error.reason()), (kind, reason), "{code}: {error:?}");
    }
}

#[tokio::test]
async fn a_server_that_became_a_standby_still_reads() {
    let database = Database::fresh("feed", &NO_TABLES).await;
    database.run_as_owner("create table feed.items (n bigint primary key)").await;
    let standby = database.options().options([("default_transaction_read_only", "on")]);
    let pool = sqlx::PgPool::connect_with(standby).await.unwrap();
    let mut tx = db::begin(&pool).await.unwrap();
    let read: i64 = sqlx::query_scalar("select count(*) from feed.items").fetch_one(&mut *tx).await.unwrap();
    assert_eq!(read, 0);
    let refused = sqlx::raw_sql("insert into feed.items (n) values (1)").execute(&mut *tx).await;
    assert_eq!(db::Error::from(refused.unwrap_err()).reason(), NOT_WRITABLE);
}
