//! The cost of whole searches in buffers: the same for a frequent and a rare word.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::Database;

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
    database: &Database,
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
                let before = database.touched(conn).await;
                let (rows, next) = search(conn, query, &token).await;
                let touched = database.touched(conn).await - before;
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
