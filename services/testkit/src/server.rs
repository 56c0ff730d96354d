//! The test server as its superuser: templates made once, leftovers swept, databases cloned and dropped.

use std::{collections::HashSet, str::FromStr as _};

use portia_postgres::BOOTSTRAP;
use sha2::{Digest as _, Sha256};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, migrate::Migrator,
    postgres::PgConnectOptions,
};
use tokio::sync::Mutex;

/// Where the tests' Postgres is; a superuser's address.
const VARIABLE: &str = "PORTIA_TEST_DATABASE_URL";
/// Every database of ours starts so; a server may hold others.
const TEMPLATE: &str = "portia_template_";
const CLONE: &str = "portia_test_";
/// What roles sign in with where the server asks for a password.
const PASSWORD: &str = "test";
/// One process at a time makes templates, roles' passwords and room.
const LOCK: i64 = 0x0070_6f72_7469_6131;

/// A connection to the maintenance database.
pub struct Admin(PgConnection);

impl Admin {
    /// Signs in; the first of a process also sweeps up what killed ones left.
    pub async fn connect() -> Self {
        let connection = options().connect().await;
        Self(
            connection.unwrap_or_else(|error| {
                panic!("The Postgres of {VARIABLE} does not answer: {error}")
            }),
        )
    }

    /// Makes sure of a template that has roles, schemas, extensions and one service's tables. Returns its name.
    pub async fn template(&mut self, schema: &str, migrator: &Migrator) -> String {
        static MADE: Mutex<Option<HashSet<String>>> = Mutex::const_new(None);
        let name = template_name(schema, migrator);
        let mut made = MADE.lock().await;
        if made.as_ref().is_some_and(|made| made.contains(&name)) {
            return name;
        }
        // A dropped connection gives the lock back, so a panic on the way does not block anybody.
        self.run(format!("select pg_advisory_lock({LOCK})")).await;
        if made.is_none() {
            self.sweep(&name).await;
        }
        // The flag is set last: a template without it is one that was never finished.
        let finished = self.names(format!(
            "select datname from pg_database where datname = '{name}' and datistemplate"
        ));
        if finished.await.is_empty() {
            self.make_template(&name, schema, migrator).await;
        }
        self.set_passwords().await;
        self.run(format!("select pg_advisory_unlock({LOCK})")).await;
        made.get_or_insert_default().insert(name.clone());
        name
    }

    async fn make_template(&mut self, name: &str, schema: &str, migrator: &Migrator) {
        self.run(format!("drop database if exists {name} with (force)"))
            .await;
        self.run(format!("create database {name}")).await;
        bootstrap(name).await;
        self.set_passwords().await;
        let mut service = role_options(name, schema)
            .connect()
            .await
            .expect("the service's role signs in");
        let migrated = migrator.run(&mut service).await;
        migrated.unwrap_or_else(|error| panic!("The migrations of {schema} fail: {error}"));
        service
            .close()
            .await
            .expect("the template is left without connections");
        self.run(format!("alter database {name} is_template true"))
            .await;
    }

    /// Bootstrap gives the roles no password; a server that trusts nobody needs one.
    async fn set_passwords(&mut self) {
        let roles = self
            .names("select rolname from pg_roles where rolname like 'portia\\_%'".to_owned())
            .await;
        for role in roles {
            self.run(format!("alter role {role} password '{PASSWORD}'"))
                .await;
        }
    }

    /// Clones a template: milliseconds instead of a bootstrap and every migration.
    pub async fn clone_of(&mut self, template: &str, name: &str) {
        self.run(format!("create database {name} template {template}"))
            .await;
        // Grants and settings of a database are not copied with it.
        bootstrap(name).await;
    }

    /// Drops a database together with whoever is still connected.
    pub async fn drop_database(&mut self, name: &str) {
        self.run(format!("drop database if exists {name} with (force)"))
            .await;
    }

    /// Killed processes leave databases behind, changed migrations templates.
    async fn sweep(&mut self, keep: &str) {
        let born = "(pg_stat_file('base/' || oid || '/PG_VERSION', true)).modification";
        let clones = format!(
            "select datname from pg_database where datname like '{CLONE}%' and {born} < now() - interval '1 hour'"
        );
        let templates = format!(
            "select datname from pg_database where datname like '{TEMPLATE}%' and datname <> '{keep}' \
             and {born} < now() - interval '3 days'"
        );
        for name in self.names(clones).await {
            self.drop_database(&name).await;
        }
        for name in self.names(templates).await {
            self.run(format!("alter database {name} is_template false"))
                .await;
            self.drop_database(&name).await;
        }
    }

    async fn names(&mut self, sql: String) -> Vec<String> {
        let rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql))
            .fetch_all(&mut self.0)
            .await;
        rows.expect("the catalogue answers")
    }

    async fn run(&mut self, sql: String) {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.clone()))
            .execute(&mut self.0)
            .await;
        done.unwrap_or_else(|error| panic!("{sql}: {error} ({VARIABLE} must be a superuser's)"));
    }
}

/// The superuser's address.
fn options() -> PgConnectOptions {
    let url = std::env::var_os(VARIABLE).and_then(|url| url.into_string().ok()).unwrap_or_else(|| {
        panic!("{VARIABLE} is not set: run `cargo xtask test`, or start a server with `cargo xtask db`.")
    });
    PgConnectOptions::from_str(&url)
        .unwrap_or_else(|error| panic!("{VARIABLE} is no Postgres address: {error}"))
}

/// How a service's role reaches a database. The password is ignored where the server trusts us.
pub fn role_options(database: &str, schema: &str) -> PgConnectOptions {
    options()
        .database(database)
        .username(&format!("portia_{schema}"))
        .password(PASSWORD)
}

/// A name nobody else uses.
pub fn clone_name() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let since = std::time::UNIX_EPOCH
        .elapsed()
        .expect("the clock is past 1970");
    format!(
        "{CLONE}{:x}_{}_{}",
        since.as_millis(),
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

async fn bootstrap(database: &str) {
    let mut inside = options()
        .database(database)
        .connect()
        .await
        .expect("a fresh database takes connections");
    let done = sqlx::raw_sql(BOOTSTRAP).execute(&mut inside).await;
    done.unwrap_or_else(|error| panic!("bootstrap.sql fails: {error}"));
    inside.close().await.expect("nobody stays connected");
}

/// Whatever changes the content changes the name.
fn template_name(schema: &str, migrator: &Migrator) -> String {
    let mut hash = Sha256::new();
    hash.update(BOOTSTRAP);
    for migration in migrator.iter() {
        hash.update(migration.version.to_be_bytes());
        hash.update(&migration.checksum);
    }
    let digest = hash.finalize();
    let short: String = digest
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{TEMPLATE}{schema}_{short}")
}
