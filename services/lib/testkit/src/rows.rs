//! Rows inserted by hand, the remaining rows of a member, and the cost of a committed query.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{Database, Harness, pause};

/// The timeout of a background effect.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The timeout of other transactions that are older than the rows of a test.
const MAX_VACUUM: Duration = Duration::from_secs(60);

/// The member number `n` of a test: a version 7 id with a bucket of its own.
#[must_use]
pub const fn member(n: u128) -> Uuid {
    Uuid::from_u128(0x0193_0000_0000_7000_8000_0000_0000_0000 | n << 10 | n)
}

/// The shared buffers of a query: a number that does not depend on the load of the machine. Postgres plans a prepared
/// query for its values, or once for all values, and decides at run time.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// With the plan for these values.
    pub planned_for_these: i64,
    /// With the generic plan.
    pub planned_for_all: i64,
}

impl Cost {
    /// Panics for more buffers than `ceiling`, with either plan.
    pub fn at_most(self, ceiling: i64) {
        assert!(self.planned_for_these.max(self.planned_for_all) <= ceiling, "{self:?} is more than {ceiling}");
    }
}

impl Database {
    /// Executes statements with the service's role, and panics when they fail.
    pub async fn run(&self, sql: impl Into<String>) {
        let sql = sql.into();
        let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(self.pool()).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    /// Vacuums and analyses tables of the service, until each of their pages is known to be visible to all transactions.
    ///
    /// Postgres cannot mark a page while a connection that is being opened has a snapshot from before its rows, which it has
    /// when a test in any other database writes for long. Plans and buffers depend on the mark.
    pub async fn vacuum(&self, tables: &[&str]) {
        let schema = self.schema();
        for table in tables {
            let deadline = Instant::now() + MAX_VACUUM;
            loop {
                // Without this option, a few dead rows stay, and their pages unmarked.
                self.run_as_owner(format!("vacuum (analyze, index_cleanup on) {schema}.{table}")).await;
                let pages = format!(
                    "select (relpages - relallvisible)::text from pg_class where oid = '{schema}.{table}'::regclass"
                );
                if self.column(pages).await == ["0"] {
                    break;
                }
                assert!(Instant::now() < deadline, "pages of {table} stay invisible to some transaction");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    /// The tables with a row that contains `id` in any column, except for the outbox, whose facts are pruned by age.
    pub async fn tables_referencing(&self, id: Uuid) -> Vec<String> {
        let schema = self.schema();
        // One statement: some tests ask for it hundreds of times.
        let search = format!(
            "select format('select %L as name where exists (select from %I.%I t where t::text like %L)', \
             tablename, schemaname, tablename, '%{id}%') from pg_tables \
             where schemaname = '{schema}' and tablename not in ('_sqlx_migrations', 'outbox')"
        );
        let searches = self.column(search).await.join(" union all ");
        self.column(format!("{searches} order by name")).await
    }

    /// The cost of the committed query that contains every one of `fragments`. `service` is the crate's folder,
    /// `arguments` are in SQL.
    pub async fn cost(&self, service: &str, fragments: &[&str], arguments: &str) -> Cost {
        let query = committed_query(Path::new(service), fragments);
        Cost {
            planned_for_these: self.buffers("force_custom_plan", &query, arguments).await,
            planned_for_all: self.buffers("force_generic_plan", &query, arguments).await,
        }
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
        // A new connection also reads catalogues, and only the pool knows whether this one is new.
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
    /// Waits until the service has applied the facts of `source` up to `seq`.
    pub async fn wait_until_applied(&self, source: &str, seq: i64) {
        let reached = format!(
            "select source from {}.cursors where source = '{source}' and seq >= {seq}",
            self.database().schema()
        );
        let applied = async {
            while self.database().column(reached.clone()).await.is_empty() {
                pause().await;
            }
        };
        tokio::time::timeout(TIMEOUT, applied)
            .await
            .unwrap_or_else(|_| panic!("{source}'s fact {seq} was not applied"));
    }
}

/// The text of the only query in `.sqlx` with every fragment, so that the measured statement is the executed one.
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
