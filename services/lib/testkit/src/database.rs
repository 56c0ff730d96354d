//! The database of one test, under the role of the tested service.

use std::thread;

use futures::TryStreamExt as _;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::server::Server;

/// A database with bootstrap.sql and one service's migrations, dropped with the value.
#[derive(Debug)]
pub struct Database {
    server: Server,
    name: String,
    schema: String,
    pool: PgPool,
}

impl Database {
    /// Copies the template of `schema` (`feed`, `social_graph`), which is created after each change of its migrations.
    pub async fn fresh(schema: &str, migrator: &Migrator) -> Self {
        Self::on(Server::of_environment(), schema, migrator).await
    }

    pub(crate) async fn on(server: Server, schema: &str, migrator: &Migrator) -> Self {
        let mut admin = server.admin().await;
        let template = admin.template(schema, migrator).await;
        let name = admin.clone_of(&template).await;
        let pool = PgPoolOptions::new().max_connections(10).connect_lazy_with(server.role(&name, schema));
        Self { server, name, schema: schema.to_owned(), pool }
    }

    /// Connections as the service's role.
    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// The schema under test.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// The options of the role of the service, for tests that open their own pool.
    #[must_use]
    pub fn options(&self) -> PgConnectOptions {
        self.options_as(&self.schema)
    }

    /// The options of another role (`auth`, `migrate`), for tests of its missing permissions.
    #[must_use]
    pub fn options_as(&self, schema: &str) -> PgConnectOptions {
        self.server.role(&self.name, schema)
    }

    /// Lets deadlocks last, for connections that are opened from now on: a test of who gives up first.
    pub async fn keep_deadlocks(&self) {
        run(&mut self.superuser().await, &format!("alter database {} set deadlock_timeout = '1h'", self.name)).await;
    }

    /// Dumps the schema's rows and restores them into `target`, where the same migrations ran: tables by COPY, then
    /// sequences, like pg_dump, which is not installed on every machine that runs the tests.
    pub async fn dump_into(&self, target: &Self) {
        let mut from = self.superuser().await;
        let mut to = target.superuser().await;
        let schema = &self.schema;
        let tables = format!(
            "select format('%I.%I', schemaname, tablename) from pg_tables \
             where schemaname = '{schema}' and tablename <> '_sqlx_migrations'"
        );
        let tables: Vec<String> = sqlx::query_scalar(AssertSqlSafe(tables)).fetch_all(&mut from).await.expect("tables");
        // Like pg_restore: the order of tables is not the order of their references.
        run(&mut to, "set session_replication_role = replica").await;
        for table in &tables {
            run(&mut to, &format!("delete from {table}")).await;
        }
        for table in tables {
            let mut rows = from.copy_out_raw(&format!("copy {table} to stdout")).await.expect("a table is dumped");
            let mut copy = to.copy_in_raw(&format!("copy {table} from stdin")).await.expect("a table is restored");
            while let Some(chunk) = rows.try_next().await.expect("rows") {
                copy.send(chunk).await.expect("rows fit the same table");
            }
            copy.finish().await.expect("rows keep the same constraints");
        }
        let sequences = format!(
            "select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename), \
             coalesce(last_value, start_value), last_value is not null) \
             from pg_sequences where schemaname = '{schema}'"
        );
        let set: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(sequences)).fetch_all(&mut from).await.expect("sequences");
        for statement in set {
            run(&mut to, &statement).await;
        }
    }

    /// Copies the database as it is now, for [`Self::restore`]. Ends its connections.
    pub async fn back_up(&self) {
        let mut admin = self.server.admin().await;
        admin.drop_database(&backup_of(&self.name)).await;
        admin.copy(&self.name, &backup_of(&self.name)).await;
    }

    /// Replaces the database by the copy of [`Self::back_up`] while its services run, like a restore or a failover to a standby
    /// that is behind: every connection ends, and later ones find the older rows.
    pub async fn restore(&self) {
        let mut admin = self.server.admin().await;
        let restored = format!("{}_restored", self.name);
        admin.copy(&backup_of(&self.name), &restored).await;
        admin.replace(&self.name, &restored).await;
    }

    /// Executes statements as the owner of the schema, which the service must not: other tables, constraints, indexes.
    pub async fn run_as_owner(&self, sql: impl Into<String>) {
        run(&mut self.as_owner().await, &sql.into()).await;
    }

    /// A connection with the rights of the owner of the schema.
    pub async fn as_owner(&self) -> PgConnection {
        self.server.owner(&self.name, &self.schema).connect().await.expect("the superuser signs in")
    }

    /// Executes statements as the superuser: what an intruder with every right can do.
    pub async fn run_as_superuser(&self, sql: impl Into<String>) {
        run(&mut self.superuser().await, &sql.into()).await;
    }

    pub(crate) async fn superuser(&self) -> PgConnection {
        self.server.superuser(&self.name).connect().await.expect("the superuser signs in")
    }
}

fn backup_of(name: &str) -> String {
    format!("{name}_backup")
}

async fn run(connection: &mut PgConnection, sql: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

impl Drop for Database {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // Not awaited: the test's runtime may hold a half-opened connection, for which Postgres waits before it drops
        // any database, and which ends with that runtime. The drop_leftovers of the next process drops the rest.
        thread::spawn(move || {
            if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
                runtime.block_on(async {
                    let mut admin = server.admin().await;
                    admin.drop_database(&name).await;
                    admin.drop_database(&backup_of(&name)).await;
                });
            }
        });
    }
}
