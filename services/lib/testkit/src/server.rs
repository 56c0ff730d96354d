//! A Postgres as its superuser: creates templates, drops leftovers, clones and drops databases.

use std::{collections::HashSet, str::FromStr as _, time::Duration};

use db::{Limits, Settings};
use portia_postgres::BOOTSTRAP;
use sha2::{Digest as _, Sha256};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, migrate::Migrator, postgres::PgConnectOptions,
};
use tokio::sync::Mutex;

/// The superuser's address of the tests' Postgres.
const VARIABLE: &str = "PORTIA_TEST_DATABASE_URL";
/// SQL files that the superuser runs in each template after the migrations, separated by colons: deploy/manual/distribution.md.
const AFTER_MIGRATIONS: &str = "PORTIA_TEST_AFTER_MIGRATIONS";
/// The prefixes of our databases; a server may contain others.
const TEMPLATE: &str = "portia_template_";
const CLONE: &str = "portia_test_";
/// The password of roles, where the server requires one.
const PASSWORD: &str = "test";
/// The time that the server has to answer.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The advisory lock for templates, the roles' passwords and clean-up.
const LOCK: i64 = 0x0070_6f72_7469_6131;

/// A server for test databases.
#[derive(Clone, Debug)]
pub struct Server {
    options: PgConnectOptions,
    /// The content of the files of [`AFTER_MIGRATIONS`].
    after_migrations: Vec<String>,
}

impl Server {
    /// The server of the tests: `cargo xtask test` starts it and passes its URL in the environment.
    pub fn of_environment() -> Self {
        let url = std::env::var_os(VARIABLE).and_then(|url| url.into_string().ok()).unwrap_or_else(|| {
            panic!("{VARIABLE} is not set: run `cargo xtask test`, or start a server with `cargo xtask db`.")
        });
        let files = std::env::var_os(AFTER_MIGRATIONS).unwrap_or_default();
        let files = std::env::split_paths(&files).filter(|path| !path.as_os_str().is_empty());
        let read = |path: std::path::PathBuf| {
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        Self { after_migrations: files.map(read).collect(), ..Self::at(&url) }
    }

    /// The server at a superuser's address.
    pub fn at(url: &str) -> Self {
        let options = PgConnectOptions::from_str(url);
        let options = options.unwrap_or_else(|error| panic!("{VARIABLE} is no Postgres address: {error}"));
        Self { options, after_migrations: Vec::new() }
    }

    /// Signs in to the maintenance database.
    pub async fn admin(&self) -> Admin {
        let connection = self.options.connect().await;
        let connection =
            connection.unwrap_or_else(|error| panic!("The Postgres of {VARIABLE} does not answer: {error}"));
        Admin { server: self.clone(), connection }
    }

    /// The connection options of the superuser.
    pub fn superuser(&self, database: &str) -> PgConnectOptions {
        self.options.clone().database(database)
    }

    /// The connection options of the superuser with the rights of the owner of a schema.
    pub fn owner(&self, database: &str, schema: &str) -> PgConnectOptions {
        self.superuser(database)
            .options([("role", format!("portia_{schema}_owner")), ("search_path", format!("{schema},ext"))])
    }

    /// The connection options of a service's role. The password is ignored where the server trusts local users.
    pub fn role(&self, database: &str, schema: &str) -> PgConnectOptions {
        self.superuser(database).username(&format!("portia_{schema}")).password(PASSWORD)
    }
}

/// A superuser's connection.
pub struct Admin {
    server: Server,
    connection: PgConnection,
}

impl Admin {
    /// Creates the template with roles, schemas, extensions and one service's tables, unless it exists. Returns its
    /// name.
    pub async fn template(&mut self, schema: &str, migrator: &Migrator) -> String {
        /// The templates that this process has checked, by server.
        static SEEN: Mutex<Option<HashSet<(String, u16, String)>>> = Mutex::const_new(None);
        let name = template_name(schema, migrator, &self.server.after_migrations);
        let key = (self.server.options.get_host().to_owned(), self.server.options.get_port(), name.clone());
        let mut seen = SEEN.lock().await;
        if seen.as_ref().is_some_and(|seen| seen.contains(&key)) {
            return name;
        }
        // A dropped connection releases the lock, so a panic blocks no other test.
        self.run(format!("select pg_advisory_lock({LOCK})")).await;
        if seen.is_none() {
            self.drop_leftovers(&name).await;
        }
        // The flag is set last: a template without it is incomplete.
        let finished = format!("select datname from pg_database where datname = '{name}' and datistemplate");
        if self.names(finished).await.is_empty() {
            self.make_template(&name, schema, migrator).await;
        }
        self.set_passwords().await;
        self.run(format!("select pg_advisory_unlock({LOCK})")).await;
        seen.get_or_insert_default().insert(key);
        name
    }

    async fn make_template(&mut self, name: &str, schema: &str, migrator: &Migrator) {
        self.drop_database(name).await;
        self.run(format!("create database {name}")).await;
        self.bootstrap(name).await;
        self.set_passwords().await;
        // As in production: by the role of migrations, so that a service can do no more than its grants.
        let settings = Settings {
            options: self.server.role(name, "migrate"),
            // Once for each template.
            schema: schema.to_owned().leak(),
            limits: Limits::for_requests(0..=1),
        };
        let migrated = db::migrate(&settings, migrator, TIMEOUT).await;
        migrated.unwrap_or_else(|error| panic!("The migrations of {schema} fail: {error:#}"));
        if !self.server.after_migrations.is_empty() {
            self.run_after_migrations(name).await;
        }
        self.run(format!("alter database {name} is_template true")).await;
    }

    async fn run_after_migrations(&mut self, name: &str) {
        let mut inside = self.server.superuser(name).connect().await.expect("a fresh database takes connections");
        for sql in &self.server.after_migrations {
            let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut inside).await;
            done.unwrap_or_else(|error| panic!("A file of {AFTER_MIGRATIONS} fails: {error}"));
        }
        inside.close().await.expect("the connections close");
        // Citus stays connected to a database, which then cannot be copied.
        self.run(format!("alter database {name} with allow_connections false")).await;
        self.end_connections(name).await;
    }

    /// bootstrap.sql sets no passwords; a server without trust authentication needs one.
    async fn set_passwords(&mut self) {
        for role in self.names("select rolname from pg_roles where rolname like 'portia\\_%'".to_owned()).await {
            self.run(format!("alter role {role} password '{PASSWORD}'")).await;
        }
    }

    /// Clones a template and returns the new database's name: milliseconds instead of every migration.
    pub async fn clone_of(&mut self, template: &str) -> String {
        let name = clone_name();
        // A copy of the files takes half of the CPU time of the default, which logs every page. Its checkpoint writes nothing to
        // a disk: the servers of tests run without fsync.
        self.run(format!("create database {name} template {template} strategy file_copy")).await;
        self.copy_rights(template, &name).await;
        if !self.server.after_migrations.is_empty() {
            // Citus connects to it as the owners of distributed tables.
            for owner in
                self.names("select rolname from pg_roles where rolname like 'portia\\_%\\_owner'".to_owned()).await
            {
                self.run(format!("grant connect on database {name} to {owner}")).await;
            }
        }
        name
    }

    /// Copies a database and ends its connections.
    pub async fn copy(&mut self, from: &str, to: &str) {
        self.run(format!("alter database {from} with allow_connections false")).await;
        self.end_connections(from).await;
        self.run(format!("create database {to} template {from} strategy file_copy")).await;
        self.run(format!("alter database {from} with allow_connections true")).await;
        self.copy_rights(from, to).await;
    }

    /// Copies the grants and the settings of a database: rows of the server, which no copy contains. In the copy, bootstrap.sql would
    /// need a connection, and a tenth of the CPU time that a short test takes in Postgres.
    async fn copy_rights(&mut self, from: &str, to: &str) {
        self.run(format!(
            "update pg_database set datacl = (select datacl from pg_database where datname = '{from}')
            where datname = '{to}';
            insert into pg_db_role_setting (setdatabase, setrole, setconfig)
            select (select oid from pg_database where datname = '{to}'), setrole, setconfig
            from pg_db_role_setting
            where setdatabase = (select oid from pg_database where datname = '{from}')"
        ))
        .await;
    }

    /// Gives a database the name of another one, which it drops.
    pub async fn replace(&mut self, old: &str, new: &str) {
        self.drop_database(old).await;
        self.run(format!("alter database {new} rename to {old}")).await;
    }

    async fn end_connections(&mut self, database: &str) {
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where datname";
        self.run(format!("{end} = '{database}'")).await;
    }

    async fn bootstrap(&self, database: &str) {
        let mut inside = self.server.superuser(database).connect().await.expect("a fresh database takes connections");
        let done = sqlx::raw_sql(BOOTSTRAP).execute(&mut inside).await;
        done.unwrap_or_else(|error| panic!("bootstrap.sql fails: {error}"));
        inside.close().await.expect("the connections close");
    }

    /// Drops a database and its connections.
    pub async fn drop_database(&mut self, name: &str) {
        self.run(format!("drop database if exists {name} with (force)")).await;
    }

    /// Drops the databases of killed processes and the templates of changed migrations.
    async fn drop_leftovers(&mut self, keep: &str) {
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
            self.run(format!("alter database {name} is_template false")).await;
            self.drop_database(&name).await;
        }
    }

    async fn names(&mut self, sql: String) -> Vec<String> {
        let rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(sql)).fetch_all(&mut self.connection).await;
        rows.expect("the catalogue answers")
    }

    async fn run(&mut self, sql: String) {
        let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&mut self.connection).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error} ({VARIABLE} must be a superuser's)"));
    }
}

/// A unique name.
fn clone_name() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let since = std::time::UNIX_EPOCH.elapsed().expect("the clock is past 1970");
    format!("{CLONE}{:x}_{}_{}", since.as_millis(), std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Any change of the content changes the name.
fn template_name(schema: &str, migrator: &Migrator, after_migrations: &[String]) -> String {
    let mut hash = Sha256::new();
    hash.update(BOOTSTRAP);
    for migration in migrator.iter() {
        hash.update(migration.version.to_be_bytes());
        hash.update(&migration.checksum);
    }
    for sql in after_migrations {
        hash.update(sql);
    }
    let digest = hash.finalize();
    let short: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{TEMPLATE}{schema}_{short}")
}
