//! One process, as started by `cargo xtask up`, on a private Postgres of the test.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Command, Stdio},
};

use chassis::config::Source;
use portia::{
    database::Database,
    folder::Folder,
    stack::{Options, Stack},
};
use portia_postgres::{self as postgres, Profile::Throwaway};
use serde_json::json;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::{
    browser::{Browser, use_as_new_member},
    prepared,
    processes::{self, binary},
};

pub async fn start(data: &tempfile::TempDir, empty: bool) -> Stack {
    start_with(data, empty, config()).await
}

/// The first start of an empty Portia finds the Postgres of [`prepared`]; that of a demo creates its own.
pub async fn start_with(data: &tempfile::TempDir, empty: bool, config: Source) -> Stack {
    let path = data.path().join("data");
    if empty && !path.exists() {
        prepared::put_into(&path).await;
    }
    let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), data: path, empty, web: None };
    Stack::start(options, config, &|_| {}).await.unwrap()
}

/// See [`processes::wait_until_consumes`].
pub async fn wait_until_consumes(stack: &Stack, service: &str, source: &str) {
    let database = stack.context(service).unwrap().database.clone().unwrap();
    processes::wait_until_consumes(&database, service, source).await;
}

/// Returns a configuration without rate limits, which one address would exceed, external sources or disk syncs.
pub fn config() -> Source {
    Source::default().with("rate_limit_scale", 1000).with("crawl", "off").with("database_sync", "off")
}

pub fn folder() -> tempfile::TempDir {
    // Postgres runs as another user when the tests run as root; it must be able to traverse the folder.
    tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755)).tempdir().unwrap()
}

/// A connection with the rights of the owner of the tables of auth.
async fn owner_of_auth(stack: &Stack) -> PgConnection {
    let migrations = stack.database().of_migrations("auth").unwrap();
    migrations.options([("role", "portia_auth_owner")]).connect().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_registers_posts_and_is_remembered_over_a_restart() {
    let data = folder();
    let stack = start(&data, true).await;
    let base = format!("http://{}", stack.address);
    let id = use_as_new_member(&base).await;
    stack.stop().await.unwrap();

    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    let credentials = json!({"username": "Walker.Author", "password": "correct horse"});
    browser.post("/api/auth/login", credentials).await.expect(200);
    let post = browser.get(&format!("/api/posts/{id}")).await.expect(200);
    assert_eq!(post["content"], json!("Kumusta, mga ka-aral! First post."));
    assert_eq!(post["likeCount"], json!(1));
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_has_a_demo_one_can_sign_in_to_and_a_second_start_keeps_it() {
    let data = folder();
    let stack = start(&data, false).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    let first = browser.get("/api/posts?sort=recent").await.expect(200);
    assert_eq!(first.as_array().unwrap().len(), 20);
    let sign_ins = stack.sign_ins.clone();
    assert_eq!(sign_ins.len(), 2);
    for sign_in in &sign_ins {
        let credentials = json!({"username": sign_in.username, "password": sign_in.password});
        browser.post("/api/auth/login", credentials).await.expect(200);
        let me = browser.get("/api/auth/me").await.expect(200);
        assert_eq!(me["username"], json!(sign_in.username));
    }
    stack.stop().await.unwrap();

    let stack = start(&data, false).await;
    let kept: Vec<_> = stack.sign_ins.iter().map(|s| s.password.clone()).collect();
    assert_eq!(kept, sign_ins.iter().map(|s| s.password.clone()).collect::<Vec<_>>());
    let mut browser = Browser::new(format!("http://{}", stack.address));
    let again = browser.get("/api/posts?sort=recent").await.expect(200);
    assert_eq!(again, first, "nothing was loaded twice");
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_stays_ended() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut browser = Browser::new(format!("http://{}", stack.address));
    browser.register("leaving").await;
    let mut thief = browser.with_cookie_of(&browser);
    thief.get("/api/auth/me").await.expect(200);
    assert!(browser.post("/api/auth/logout", json!({})).await.status.is_success());
    thief.get("/api/auth/me").await.expect(401);
    stack.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_port_is_one_sentence() {
    let data = folder();
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let options =
        Options { listen: taken.local_addr().unwrap(), data: data.path().join("data"), empty: true, web: None };
    let Err(error) = Stack::start(options, config(), &|_| {}).await else { panic!("the port is taken") };
    assert!(error.to_string().contains("is taken by another program"), "{error:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_folder_of_another_version_is_refused_with_advice() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut db = owner_of_auth(&stack).await;
    // A migration that this version does not have.
    let other = "insert into auth._sqlx_migrations (version, description, success, checksum, execution_time)
        values (20260101000001, 'outbox', true, '', 0)";
    sqlx::raw_sql(other).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    stack.stop().await.unwrap();

    let path = data.path().join("data");
    let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), data: path.clone(), empty: true, web: None };
    let Err(error) = Stack::start(options, config(), &|_| {}).await else { panic!("the folder is incompatible") };
    let error = format!("{error:#}");
    assert!(error.contains("another version of Portia") && error.contains("--data"), "{error}");
    assert!(!path.join("postgres/cluster/postmaster.pid").exists(), "Postgres was stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn this_version_starts_on_the_schemas_of_a_later_one_that_admits_it() {
    let data = folder();
    let stack = start(&data, true).await;
    let mut db = owner_of_auth(&stack).await;
    // Changes the schema as a migration of a later version does.
    let later = "alter table auth.accounts add column later text;
        insert into auth._sqlx_migrations (version, description, success, checksum, execution_time)
        values (29990101000001, 'later', true, '', 0)";
    sqlx::raw_sql(later).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    stack.stop().await.unwrap();

    let stack = start(&data, true).await;
    use_as_new_member(&format!("http://{}", stack.address)).await;
    let mut db = owner_of_auth(&stack).await;
    let raise = "update auth.compatibility set oldest = 29990101000001 where id = 1";
    sqlx::raw_sql(raise).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    stack.stop().await.unwrap();

    let path = data.path().join("data");
    let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), data: path, empty: true, web: None };
    let Err(error) = Stack::start(options, config(), &|_| {}).await else { panic!("the schema is too new") };
    let error = format!("{error:#}");
    assert!(error.contains("a later version of Portia") && error.contains("29990101000001"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_postgres_is_used_and_left_running() {
    let data = folder();
    let own = data.path().join("postgres");
    let server = tokio::task::spawn_blocking(|| {
        let options =
            postgres::Options { data: own, profile: Throwaway, source: postgres::Source::Any, progress: &|_| {} };
        postgres::Postgres::start(options).unwrap()
    });
    let server = server.await.unwrap();
    let config = config().with("database_url", server.admin_url());
    let mut posts = Vec::new();
    for _ in 0..2 {
        let options = Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: data.path().join("data"),
            empty: false,
            web: None,
        };
        let stack = Stack::start(options, config.clone(), &|_| {}).await.unwrap();
        assert!(stack.sign_ins.is_empty(), "a configured database gets no demo members");
        let base = format!("http://{}", stack.address);
        if posts.is_empty() {
            use_as_new_member(&base).await;
        }
        posts.push(Browser::new(&base).get("/api/posts?sort=recent").await.expect(200));
        stack.stop().await.unwrap();
    }
    assert_eq!(posts[0].as_array().unwrap().len(), 1);
    assert_eq!(posts[0], posts[1], "the second start continues with the first one's data");
    assert!(!data.path().join("data/postgres").exists(), "no private server was created");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unavailable_configured_postgres_is_named_in_a_message() {
    let data = folder();
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let config = config().with("database_url", format!("postgres://portia@{closed}/portia"));
    let options = Options {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        data: data.path().join("data"),
        empty: true,
        web: None,
    };
    let (sender, mut messages) = tokio::sync::mpsc::unbounded_channel();
    let progress = move |line: &str| sender.send(line.to_owned()).unwrap();
    let waiting = async { while !messages.recv().await.unwrap().contains(&format!("the database at {closed}")) {} };
    tokio::select! {
        () = waiting => {}
        ended = Stack::start(options, config, &progress) => panic!("ended without a message: {:?}", ended.err()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_private_postgres_waits_for_the_disk_unless_this_is_turned_off() {
    let data = folder();
    let folder = Folder::open(data.path().join("data")).unwrap();
    let off = Source::default().with("database_sync", "off");
    for (config, expected) in [(Source::default(), "on"), (off, "off"), (Source::default(), "on")] {
        let database = Database::open(&config, &folder, &|_| {}).await.unwrap();
        let mut db = database.of("auth").unwrap().connect().await.unwrap();
        let fsync: String = sqlx::query_scalar("show fsync").fetch_one(&mut db).await.unwrap();
        assert_eq!(fsync, expected);
        db.close().await.unwrap();
        tokio::task::spawn_blocking(|| database.close()).await.unwrap().unwrap();
    }
    let Err(error) = Database::open(&Source::default().with("database_sync", "maybe"), &folder, &|_| {}).await else {
        panic!("it is neither on nor off")
    };
    assert_eq!(error.to_string(), "PORTIA_DATABASE_SYNC is maybe; it is on or off.");
}

#[test]
fn a_misspelt_variable_refuses_the_start() {
    let output =
        Command::new(binary("portia")).env("PORTIA_DATABSE_URL", "postgres://127.0.0.1/portia").output().unwrap();
    let sentence = "PORTIA_DATABSE_URL is unknown; did you mean PORTIA_DATABASE_URL?";
    crate::admin::assert_refused(&output, sentence);
}

/// Starts the program and interrupts it, as Ctrl-C does.
#[test]
fn an_interrupted_start_leaves_no_postgres_running() {
    let data = folder();
    let page = data.path().join("page");
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<!doctype html>").unwrap();
    for moment in ["Creating the database", "Starting the services", "Portia is at"] {
        let mut portia = Command::new(binary("portia"))
            .args(["--empty", "--port", "0", "--data"])
            .arg(data.path().join("data"))
            .arg("--web")
            .arg(&page)
            .envs([("PORTIA_CRAWL", "off"), ("PORTIA_DATABASE_SYNC", "off")])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(portia.stdout.take().unwrap()).lines().map(Result::unwrap);
        let line = lines.find(|line| line.contains(moment));
        assert!(line.is_some(), "it never line {moment:?}");
        let pid = portia.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let rest: Vec<String> = lines.collect();
        assert!(portia.wait().unwrap().success(), "asked at {moment:?} it line {rest:?}");
        assert!(!data.path().join("data/postgres/cluster/postmaster.pid").exists(), "asked at {moment:?}");
    }
}
