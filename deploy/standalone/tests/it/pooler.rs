//! All of Portia behind PgBouncer in transaction mode. PgBouncer 1.21 is the first that can keep prepared statements; Debian 12 has an
//! older one, so this test runs where PORTIA_TEST_PGBOUNCER names the program:
//!
//!     PORTIA_TEST_PGBOUNCER=/usr/sbin/pgbouncer cargo test -p portia --test it pooler -- --ignored

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    str::FromStr as _,
    time::Duration,
};

use chassis::config::field_name;
use portia::SERVICES;
use portia_postgres::{self as postgres, BOOTSTRAP, Profile::Throwaway, Running};
use serde_json::json;
use sqlx::{AssertSqlSafe, ConnectOptions as _, PgConnection, postgres::PgConnectOptions};

use crate::{
    browser::{Browser, use_as_new_member},
    local::{config, folder, start_with, wait_until_consumes},
    processes::free_port,
};

/// Server connections for each role: fewer than the clients, so that transactions share them.
const POOL: u32 = 3;

/// A running PgBouncer.
struct Pooler(Child);

impl Drop for Pooler {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// Starts a pooler with the settings that deploy/manual/sizing.md lists.
fn start_pooler(folder: &Path, server: &Running) -> (Pooler, u16) {
    let program =
        std::env::var_os("PORTIA_TEST_PGBOUNCER").expect("PORTIA_TEST_PGBOUNCER names PgBouncer 1.21 or later");
    let port = free_port();
    let users: String =
        SERVICES.iter().map(|service| format!("\"portia_{}\" \"secret\"\n", field_name(service))).collect();
    fs::write(folder.join("users.txt"), users).unwrap();
    let settings = format!(
        "[databases]
portia = host=127.0.0.1 port={} dbname=portia connect_query='set statement_timeout = 1900; set jit = off'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = plain
auth_file = {}/users.txt
pool_mode = transaction
max_prepared_statements = 200
ignore_startup_parameters = extra_float_digits
default_pool_size = {POOL}
",
        server.port(),
        folder.display()
    );
    fs::write(folder.join("pgbouncer.ini"), settings).unwrap();
    let mut command = Command::new(program);
    // It refuses to run as root.
    if fs::read_dir("/root").is_ok() {
        command.args(["--user", "nobody"]);
    }
    let child = command.arg(folder.join("pgbouncer.ini")).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    (Pooler(child), port)
}

async fn run(db: &mut PgConnection, statements: &str) {
    sqlx::raw_sql(AssertSqlSafe(statements.to_owned())).execute(db).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PgBouncer 1.21 or later: PORTIA_TEST_PGBOUNCER"]
async fn members_use_portia_through_a_pooler_in_transaction_mode() {
    let data = folder();
    let own = data.path().join("postgres");
    let server = tokio::task::spawn_blocking(|| {
        let options =
            postgres::Options { data: own, profile: Throwaway, source: postgres::Source::Any, progress: &|_| {} };
        postgres::Postgres::start(options)
    });
    let server = server.await.unwrap().unwrap();
    let mut admin = PgConnectOptions::from_str(&server.admin_url()).unwrap().connect().await.unwrap();
    run(&mut admin, "create database portia").await;
    let mut admin = PgConnectOptions::from_str(&server.admin_url_of("portia")).unwrap().connect().await.unwrap();
    run(&mut admin, BOOTSTRAP).await;
    let (pooler, port) = start_pooler(data.path(), &server);
    run(&mut admin, "alter role portia_migrate password 'secret'").await;
    let mut settings = config()
        .with("database_url", format!("postgres://127.0.0.1:{port}/portia"))
        .with("migration_database_url", format!("postgres://portia_migrate:secret@127.0.0.1:{}/portia", server.port()));
    for service in SERVICES {
        let (name, role) = (field_name(service), format!("portia_{}", field_name(service)));
        run(&mut admin, &format!("alter role {role} password 'secret'")).await;
        let at = |port: u16| format!("postgres://{role}:secret@127.0.0.1:{port}/portia");
        settings = settings
            .with(&format!("{name}_database_url"), at(port))
            .with(&format!("{name}_direct_database_url"), at(server.port()));
    }
    let stack = start_with(&data, true, settings).await;
    let base = format!("http://{}", stack.address);
    use_as_new_member(&base).await;
    // Facts arrive: notifications wake the sequencers, which listen at Postgres itself.
    wait_until_consumes(&stack, "messaging", "feed").await;
    let listening = "select count(distinct usename)
        from pg_stat_activity
        where query ilike 'listen%'
            and usename like 'portia%'";
    let listeners: i64 = sqlx::query_scalar(listening).fetch_one(&mut admin).await.unwrap();
    assert_eq!(listeners, 7);
    // More requests at once than server connections, of statements that sqlx has prepared.
    let reads = (0..200).map(|_| {
        let mut visitor = Browser::new(&base);
        async move { visitor.get("/api/posts?sort=recent").await.expect(200) }
    });
    let pages = futures::future::join_all(reads).await;
    assert!(pages.iter().all(|page| *page == pages[0] && *page != json!([])));
    let shared = "select count(*) from pg_stat_activity where usename = 'portia_feed' and query not ilike 'listen%'";
    let connections: i64 = sqlx::query_scalar(shared).fetch_one(&mut admin).await.unwrap();
    assert!(connections <= i64::from(POOL), "{connections}");
    let pool = pool_of_feed(port);
    let timeout: String = sqlx::query_scalar("show statement_timeout").fetch_one(&pool).await.unwrap();
    assert_eq!(timeout, "1900ms");
    stack.stop().await.unwrap();
    drop(pooler);
    server.stop().unwrap();
}

fn pool_of_feed(port: u16) -> sqlx::PgPool {
    let url = format!("postgres://portia_feed:secret@127.0.0.1:{port}/portia");
    let options = PgConnectOptions::from_str(&url).unwrap();
    let limits = db::Limits { acquire_timeout: Duration::from_secs(30), ..db::Limits::for_requests(0..=1) };
    db::pool_of_pooler(&db::Settings { options, schema: "feed", limits })
}
