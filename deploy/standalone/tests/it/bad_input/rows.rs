//! The rows of all tables, to prove that refused requests write nothing.

use std::collections::BTreeMap;

use portia::{SERVICES, stack::Stack};
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection};

/// The measured value of each table.
pub type Rows = BTreeMap<String, String>;

/// A measure of a table.
#[derive(Clone, Copy)]
pub enum Measure {
    /// The number of rows.
    Count,
    /// The number of rows and a hash of their contents.
    Contents,
}

/// The rows of every table of every schema, once they are stable.
pub async fn rows(stack: &Stack, measure: Measure) -> Rows {
    let mut before = read(stack, measure).await;
    loop {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let now = read(stack, measure).await;
        if now == before {
            return now;
        }
        before = now;
    }
}

async fn read(stack: &Stack, measure: Measure) -> Rows {
    let mut rows = BTreeMap::new();
    for service in SERVICES {
        let options = stack.context(service).unwrap().database.clone().unwrap();
        let mut connection = options.connect().await.unwrap();
        for table in tables(&mut connection, &service.replace('-', "_")).await {
            // Facts are applied with a delay that does not depend on requests.
            if table.ends_with(".cursors") {
                continue;
            }
            let hash = match measure {
                Measure::Count => "",
                Measure::Contents => "|| ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0)",
            };
            let statement = format!("select count(*)::text {hash} from {table} as t");
            let measured = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut connection).await.unwrap();
            rows.insert(table, measured);
        }
    }
    assert!(rows.len() > 20, "{rows:?}");
    rows
}

async fn tables(connection: &mut PgConnection, schema: &str) -> Vec<String> {
    sqlx::query_scalar("select format('%I.%I', schemaname, tablename) from pg_catalog.pg_tables where schemaname = $1")
        .bind(schema)
        .fetch_all(connection)
        .await
        .unwrap()
}
