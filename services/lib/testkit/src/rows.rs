//! Rows put into a schema by hand, what is left of a member there, and what a committed query costs.

use std::{fs, path::Path, time::Duration};

use sqlx::{AssertSqlSafe, PgConnection};
use uuid::Uuid;

use crate::{Database, Harness};

/// A background effect that takes longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(30);

/// The member number `n` of a test: a version 7 id with a bucket of its own.
#[must_use]
pub const fn member(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | n << 10 | n)
}

/// Shared buffers a query touches: a number that does not depend on the machine's mood. Postgres plans a prepared query
/// for its values, or once for all values; which of the two, it decides while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// With the plan for these values.
    pub planned_for_these: i64,
    /// With the plan for all.
    pub planned_for_all: i64,
}

impl Cost {
    /// Complains about more buffers than `ceiling`, whichever the plan.
    pub fn at_most(self, ceiling: i64) {
        assert!(self.planned_for_these.max(self.planned_for_all) <= ceiling, "{self:?} is more than {ceiling}");
    }
}

impl Database {
    /// Runs statements as the service's role, and complains when they fail.
    pub async fn run(&self, sql: impl Into<String>) {
        let sql = sql.into();
        let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(self.pool()).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// The tables in which a row names `id` in any column. What the service told others is pruned by age and left out.
    pub async fn tables_naming(&self, id: Uuid) -> Vec<String> {
        let schema = self.schema();
        let tables = format!(
            "select tablename from pg_tables where schemaname = '{schema}' \
             and tablename not in ('_sqlx_migrations', 'outbox') order by tablename"
        );
        let mut naming = Vec::new();
        for table in self.column(tables).await {
            let rows = self.column(format!("select t::text from {schema}.{table} t where t::text like '%{id}%'"));
            if !rows.await.is_empty() {
                naming.push(table);
            }
        }
        naming
    }

    /// What the committed query that contains every one of `fragments` costs. `service` is the crate's folder,
    /// `arguments` are written as SQL.
    pub async fn cost(&self, service: &str, fragments: &[&str], arguments: &str) -> Cost {
        let query = committed_query(Path::new(service), fragments);
        Cost {
            planned_for_these: self.buffers("force_custom_plan", &query, arguments).await,
            planned_for_all: self.buffers("force_generic_plan", &query, arguments).await,
        }
    }

    /// Shared buffers that this schema's tables and indexes were touched for until now, by whatever connection: what a
    /// whole request costs is the difference. `connection` is the one that made it; its own counts are told first.
    pub async fn touched(&self, connection: &mut PgConnection) -> i64 {
        let told = sqlx::raw_sql("select pg_stat_force_next_flush()").execute(&mut *connection).await;
        told.expect("the connection tells its counts");
        let touched = "select coalesce(sum(
                coalesce(heap_blks_hit, 0) + coalesce(heap_blks_read, 0)
                + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)
                + coalesce(toast_blks_hit, 0) + coalesce(toast_blks_read, 0)
                + coalesce(tidx_blks_hit, 0) + coalesce(tidx_blks_read, 0)
            ), 0)::bigint
            from pg_statio_user_tables";
        sqlx::query_scalar(touched).fetch_one(connection).await.expect("Postgres counts")
    }

    async fn buffers(&self, mode: &str, query: &str, arguments: &str) -> i64 {
        let mut connection = self.pool().acquire().await.expect("the database answers");
        let prepare = format!("set plan_cache_mode = {mode}; prepare costed as {query}");
        sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *connection).await.expect("the query is prepared");
        let explain = format!("explain (analyze, buffers, format json) execute costed ({arguments})");
        let mut explained = async || {
            let plan = sqlx::query_scalar::<_, serde_json::Value>(AssertSqlSafe(explain.clone()));
            let plan = plan.fetch_one(&mut *connection).await;
            plan.unwrap_or_else(|error| panic!("({arguments}): {error}"))
        };
        // A connection that is new reads catalogues besides, and whether this one is, is for the pool to know.
        explained().await;
        let plan = explained().await;
        let clean = sqlx::raw_sql("deallocate costed; reset plan_cache_mode").execute(&mut *connection).await;
        clean.expect("the connection is as it was");
        let count = |name: &str| plan.pointer(&format!("/0/Plan/{name}")).and_then(serde_json::Value::as_i64);
        let touched = count("Shared Hit Blocks").zip(count("Shared Read Blocks"));
        touched.map(|(hit, read)| hit + read).expect("a plan counts its buffers")
    }

    async fn column(&self, sql: String) -> Vec<String> {
        let rows = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(self.pool()).await;
        rows.expect("the schema can be read")
    }
}

impl Harness {
    /// Waits until the service has done what is to be done about `source`'s facts up to `seq`.
    pub async fn heard(&self, source: &str, seq: i64) {
        let reached = format!(
            "select source from {}.cursors where source = '{source}' and seq >= {seq}",
            self.database().schema()
        );
        let heard = async { while self.database().column(reached.clone()).await.is_empty() {} };
        tokio::time::timeout(PATIENCE, heard).await.unwrap_or_else(|_| panic!("{source}'s fact {seq} was not heard"));
    }
}

/// The text of the one query in `.sqlx` that contains every fragment, so that what is measured is what runs.
fn committed_query(service: &Path, fragments: &[&str]) -> String {
    let entries = fs::read_dir(service.join(".sqlx")).expect("the service has committed queries");
    let queries = entries.map(|entry| {
        let described = fs::read(entry.expect("an entry").path()).expect("a readable file");
        let described: serde_json::Value = serde_json::from_slice(&described).expect("sqlx writes JSON");
        described.get("query").and_then(|query| query.as_str()).expect("sqlx keeps the text").to_owned()
    });
    let mut found: Vec<String> = queries.filter(|query| fragments.iter().all(|part| query.contains(part))).collect();
    assert_eq!(found.len(), 1, "{fragments:?} are meant to name one query");
    found.remove(0)
}
