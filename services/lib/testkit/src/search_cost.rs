//! What searches cost, whole, in buffers: the same for a word that all have and for one that three have.

use sqlx::{AssertSqlSafe, PgConnection};

use crate::Database;

/// Pages by which an index that is built in one go differs from run to run.
const SPREAD: i64 = 20;

/// Something to look for.
#[derive(Clone, Copy, Debug)]
pub struct Looked {
    /// The words.
    pub query: &'static str,
    /// Which page is measured, counted from 1: those before it are walked through.
    pub page: usize,
    /// How many it holds.
    pub found: usize,
    /// Buffers it may touch, give or take what indexes differ by.
    pub ceiling: i64,
}

/// Asserts that pages hold what they should for no more buffers than they may, whichever sort of plan Postgres is told to
/// make. `search` answers a page of a query, told by where the last one ended: how many it found, and where it ends.
///
/// # Panics
/// Where one costs more, after all were asked.
pub async fn assert_costs(
    database: &Database,
    conn: &mut PgConnection,
    all: &[Looked],
    search: impl AsyncFn(&mut PgConnection, &str, &str) -> (usize, String),
) {
    let mut dear = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        sqlx::raw_sql(AssertSqlSafe(format!("set plan_cache_mode = {mode}")))
            .execute(&mut *conn)
            .await
            .expect("plans are a setting");
        for &Looked { query, page, found, ceiling } in all {
            let mut token = String::new();
            for walked in 1..=page {
                let before = database.touched(conn).await;
                let (rows, next) = search(conn, query, &token).await;
                let touched = database.touched(conn).await - before;
                token = next;
                if walked == page {
                    println!("{mode} {query}, page {page}: {touched} of {ceiling}");
                    assert_eq!(rows, found, "{query}, page {page}");
                    assert!(touched > 0, "{query}, page {page}: nothing was read");
                    if touched > ceiling + SPREAD {
                        dear.push(format!("{mode} {query}, page {page}: {touched} is more than {ceiling}"));
                    }
                }
            }
        }
    }
    assert!(dear.is_empty(), "{dear:#?}");
}
