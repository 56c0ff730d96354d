//! The cost of whole searches in buffers: the same for a frequent and a rare word.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

/// The number of pages by which an index that is built at once differs from run to run.
const SPREAD: i64 = 20;

/// A search with its expected cost.
#[derive(Clone, Copy, Debug)]
pub struct SearchCase {
    /// The words.
    pub query: &'static str,
    /// The measured page, counted from 1; earlier pages are read first.
    pub page: usize,
    /// The number of results on it.
    pub found: usize,
    /// The maximum of touched buffers, apart from the variance of the indexes.
    pub ceiling: i64,
}

/// Asserts that pages have the expected results and stay within their buffers, with both kinds of plans. `search`
/// returns a page of a query, given the end of the previous one: the number of results, and its end.
///
/// # Panics
/// When a page costs more, after all were measured.
pub async fn assert_costs(
    conn: &mut PgConnection,
    all: &[SearchCase],
    search: impl AsyncFn(&mut PgConnection, &str, &str) -> (usize, String),
) {
    let mut exceeded = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        sqlx::raw_sql(AssertSqlSafe(format!("set plan_cache_mode = {mode}")))
            .execute(&mut *conn)
            .await
            .expect("plans are a setting");
        for &SearchCase { query, page, found, ceiling } in all {
            let mut token = String::new();
            for current in 1..=page {
                let mut tx = conn.begin().await.expect("a transaction begins");
                let before = touched(&mut tx).await;
                let (rows, next) = search(&mut tx, query, &token).await;
                let touched = touched(&mut tx).await - before;
                tx.commit().await.expect("a read commits");
                token = next;
                if current == page {
                    println!("{mode} {query}, page {page}: {touched} of {ceiling}");
                    assert_eq!(rows, found, "{query}, page {page}");
                    assert!(touched > 0, "{query}, page {page}: nothing was read");
                    if touched > ceiling + SPREAD {
                        exceeded.push(format!("{mode} {query}, page {page}: {touched} is more than {ceiling}"));
                    }
                }
            }
        }
    }
    assert!(exceeded.is_empty(), "{exceeded:#?}");
}

/// The number of shared buffers of tables and indexes that the connection has touched. Only within a transaction are two
/// numbers comparable: at its end, Postgres may hand the counts to the statistics of all connections and start from zero.
async fn touched(tx: &mut PgConnection) -> i64 {
    /// Tables, indexes and TOAST tables that are not catalogues: tables of Citus have ids like other tables.
    const TOUCHED: &str = "select coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0)::bigint
        from pg_class
        where oid >= 16384 and relkind in ('r', 'i', 't') and relnamespace <> 'pg_catalog'::regnamespace";
    sqlx::query_scalar(TOUCHED).fetch_one(tx).await.expect("Postgres counts")
}
