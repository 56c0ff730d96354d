//! Moving a schema to another server keeps rows and sequences.

use sqlx::{PgPool, Row as _};
use testkit::{Database, OtherServer, outbox_tables};

async fn publish(pool: &PgPool, key: &str) -> i64 {
    let insert = format!(
        "insert into feed.outbox (kind, key, payload, at) values ('k', '{key}', '\\x00ff', '2026-01-01Z') returning id"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(insert)).fetch_one(pool).await.unwrap().get(0)
}

#[tokio::test]
async fn rows_and_sequences_move() {
    let tables = outbox_tables("feed", "");
    let here = Database::fresh("feed", &tables).await;
    assert_eq!(publish(here.pool(), "tab\tand\\slash").await, 1);
    let server = OtherServer::start().await;
    let there = server.database("feed", &tables).await;
    here.dump_into(&there).await;
    assert_eq!(publish(there.pool(), "after").await, 2);
    let rows = sqlx::raw_sql("select key from feed.outbox order by id").fetch_all(there.pool()).await.unwrap();
    let keys: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(keys, ["tab\tand\\slash", "after"]);
}
