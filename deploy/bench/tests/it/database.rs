//! A database with the tables of every service, as `portia migrate` creates them; dropped with the value.

use std::str::FromStr as _;

use chassis::config::Source;
use portia_postgres::BOOTSTRAP;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::OnceCell;

/// The superuser's address of the tests' Postgres.
const VARIABLE: &str = "PORTIA_TEST_DATABASE_URL";

/// The database that the others are copies of. The tests of the services drop it later.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();

fn named(name: &str) -> String {
    format!("portia_test_bench_{name}_{}", std::process::id())
}

async fn migrated(server: &PgConnectOptions) -> String {
    let name = named("template");
    let mut admin = server.connect().await.unwrap();
    run(&mut admin, &format!("create database {name}")).await;
    let options = server.clone().database(&name);
    let mut db = options.connect().await.unwrap();
    run(&mut db, BOOTSTRAP).await;
    db.close().await.unwrap();
    let url = options.to_url_lossy().to_string();
    portia::migrate::run(&Source::default().with("migration_database_url", url), &|_| ()).await.unwrap();
    name
}

pub struct Database {
    server: PgConnectOptions,
    name: String,
    pub db: PgConnection,
}

impl Database {
    /// `name` is the name of the test.
    pub async fn fresh(name: &str) -> Self {
        let url = std::env::var_os(VARIABLE).expect("run `cargo xtask test`, or start a server with `cargo xtask db`");
        let server = PgConnectOptions::from_str(url.to_str().unwrap()).unwrap();
        let template = TEMPLATE.get_or_init(|| migrated(&server)).await;
        let name = named(name);
        let mut admin = server.connect().await.unwrap();
        run(&mut admin, &format!("create database {name} template {template} strategy file_copy")).await;
        let db = server.clone().database(&name).connect().await.unwrap();
        Self { server, name, db }
    }

    /// A pool of connections to it.
    pub fn pool(&self) -> PgPool {
        PgPoolOptions::new().connect_lazy_with(self.options())
    }

    /// The superuser's address of it.
    pub fn options(&self) -> PgConnectOptions {
        self.server.clone().database(&self.name)
    }

    /// The first column of every row, as text.
    pub async fn rows(&mut self, sql: &str) -> Vec<String> {
        let rows = sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_all(&mut self.db).await;
        rows.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// Every table except sqlx's own and the outbox tables, which are empty.
    pub async fn tables(&mut self) -> Vec<String> {
        self.rows(
            "select format('%I.%I', schemaname, tablename)
            from pg_tables
            where schemaname not in ('pg_catalog', 'information_schema', 'ext', 'public')
                and tablename <> '_sqlx_migrations'
            order by 1",
        )
        .await
    }

    pub async fn drop(self) {
        drop(self.db);
        let mut admin = self.server.connect().await.unwrap();
        run(&mut admin, &format!("drop database {} with (force)", self.name)).await;
    }
}

pub async fn run(db: &mut PgConnection, sql: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(db).await;
    done.unwrap_or_else(|error| panic!("{}: {error}", sql.chars().take(200).collect::<String>()));
}
