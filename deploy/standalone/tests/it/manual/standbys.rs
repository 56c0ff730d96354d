//! deploy/manual/standbys.md: services read from a standby, and members see their own writes and what events announce.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use chassis::config::field_name;
use primitives::log_position::{LogPosition, reading_after};
use serde_json::json;
use sqlx::{ConnectOptions as _, PgConnection, PgPool, postgres::PgConnectOptions};

use super::{
    backup::{post, server_of, wait_until},
    point_in_time::{Account, Recovered, server_options},
    shell::{Server, Shell},
};
use crate::{
    browser::Browser,
    local::folder,
    processes::{Processes, free_port},
};

pub const BLOCKS: &[&str] = &["make-standby", "show-standbys", "remove-standby"];

/// The services with a standby: all but auth.
const READERS: [&str; 6] = ["profile", "social-graph", "feed", "jobs", "news", "messaging"];

/// The standby that `make-standby` starts.
fn make_standby(shell: &mut Shell, old: &Server, data: std::path::PathBuf) -> Recovered {
    let server = Server { port: free_port(), ..old.clone() };
    shell.set("SERVER_OPTIONS", &server_options(server.port));
    shell.set("STANDBY", data.to_str().unwrap());
    shell.set("SLOT", "first_standby");
    let recovered = Recovered { server, data };
    shell.run("make-standby");
    recovered
}

/// Returns the same address at another port.
fn at(options: &PgConnectOptions, port: u16) -> String {
    let mut url = options.to_url_lossy();
    url.set_query(None);
    url.set_host(Some("127.0.0.1")).unwrap();
    url.set_port(Some(port)).unwrap();
    url.into()
}

/// The reads of a service by the server that got them.
async fn reads(processes: &Processes, service: &str, server: &str) -> u64 {
    let scraped = reqwest::get(format!("{}/metrics", processes.admin(service))).await.unwrap();
    let text = scraped.text().await.unwrap();
    let label = format!("server=\"{server}\"");
    let line = text.lines().find(|line| line.starts_with("db_standby_reads_total{") && line.contains(&label));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap()
}

/// Replays no more until [`resume`].
async fn pause(standby: &mut PgConnection) {
    sqlx::raw_sql("select pg_wal_replay_pause()").execute(&mut *standby).await.unwrap();
    let state = "select pg_get_wal_replay_pause_state() = 'paused'";
    while !sqlx::query_scalar::<_, bool>(state).fetch_one(&mut *standby).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn resume(standby: &mut PgConnection) {
    sqlx::raw_sql("select pg_wal_replay_resume()").execute(standby).await.unwrap();
}

/// Reads `path` until the standby has answered for the service.
async fn wait_until_used(processes: &Processes, browser: &mut Browser, service: &str, path: &str) {
    let before = reads(processes, service, "standby").await;
    let browser = tokio::sync::Mutex::new(browser);
    wait_until("the standby is used", async || {
        browser.lock().await.get(path).await.expect(200);
        reads(processes, service, "standby").await > before
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn services_read_from_a_standby_and_members_see_their_own_writes() {
    let mut processes = Processes::start_with_admin_ports(&[]).await;
    let (Some(old), Some(account)) = (server_of(&processes).await, Account::of(&processes)) else { return };
    let work = folder();
    let mut shell = Shell::new(&old, &[]);
    account.prepare(&mut shell, &work.path().join("programs"), fs::metadata(work.path()).unwrap().uid());
    let standby = make_standby(&mut shell, &old, work.path().join("standby"));
    for service in READERS {
        let url = at(&processes.database(service), standby.server.port);
        let variable = format!("PORTIA_{}_STANDBY_DATABASE_URL", field_name(service).to_uppercase());
        processes.set(service, &variable, &url);
        processes.restart(service).await;
    }
    processes.wait_until_started().await;
    assert!(shell.run("show-standbys").contains("first_standby | t"));

    let mut author = Browser::new(&processes.base);
    let id = author.register("writes.and.reads").await;
    let mut other = Browser::new(&processes.base);
    other.register("reads.only").await;
    let first = post(&mut author, "The first one").await;
    // Each service answers from it.
    let pages = [
        ("feed", format!("/api/posts/{first}")),
        ("profile", format!("/api/users/{id}/profile")),
        ("social-graph", "/api/communities".to_owned()),
        ("jobs", "/api/jobs".to_owned()),
        ("news", "/api/news".to_owned()),
        ("messaging", "/api/conversations".to_owned()),
    ];
    for (service, path) in &pages {
        wait_until_used(&processes, &mut other, service, path).await;
    }

    for n in 0..50 {
        let written = post(&mut author, &format!("Number {n}")).await;
        let read = author.get(&format!("/api/posts/{written}")).await.expect(200);
        assert_eq!(read["content"], format!("Number {n}"));
        let listed = author.get("/api/posts?sort=recent").await.expect(200);
        assert_eq!(listed[0]["id"], written, "the own post is the first one");
    }
    assert!(author.cookie().contains("portia_written_feed="));

    stand_still(&processes, &standby.server, [&mut author, &mut other]).await;
    read_while_it_stops(&processes, &mut shell, &mut other, &pages).await;
    for browser in [&mut author, &mut other] {
        let last = post(browser, "Without a standby").await;
        browser.get(&format!("/api/posts/{last}")).await.expect(200);
    }
    shell.finish(BLOCKS);
}

/// A standby that does not replay: members see their writes, and what events announce.
async fn stand_still(processes: &Processes, standby: &Server, [author, other]: [&mut Browser; 2]) {
    let superuser = format!("postgres://postgres:{}@127.0.0.1:{}/portia", standby.password, standby.port);
    let superuser: PgConnectOptions = superuser.parse().unwrap();
    let mut db = superuser.connect().await.unwrap();
    let mine = post(other, "Of the reader").await;
    let mut live = other.live().await;
    wait_until_used(processes, other, "feed", "/api/posts?sort=recent").await;
    wait_until_used(processes, other, "messaging", "/api/notifications").await;
    let at_primary = reads(processes, "feed", "primary").await;
    pause(&mut db).await;
    let begun = Instant::now();
    let written = post(author, "While it stands still").await;
    author.get(&format!("/api/posts/{written}")).await.expect(200);
    let comment = json!({"content": "Seen at once"});
    author.post(&format!("/api/posts/{mine}/comments"), comment).await.expect(201);
    live.next_of(&["notification"]).await;
    let announced = other.get("/api/notifications").await.expect(200);
    assert_eq!(announced.as_array().unwrap().len(), 1, "{announced}");
    eprintln!("written, read and announced within {:?}", begun.elapsed());
    assert!(reads(processes, "feed", "primary").await > at_primary);
    resume(&mut db).await;
    wait_until_used(processes, other, "feed", &format!("/api/posts/{written}")).await;
    wait_and_fall_back(processes, &superuser, &mut db).await;
}

/// Reads without a pause while the standby stops: none fails.
async fn read_while_it_stops(
    processes: &Processes,
    shell: &mut Shell,
    browser: &mut Browser,
    pages: &[(&str, String)],
) {
    wait_until_used(processes, browser, "feed", &pages[0].1).await;
    let stopped = AtomicBool::new(false);
    let read = async {
        let mut after = 0;
        while after < pages.len() {
            for (_, path) in pages {
                let read = browser.get_once(path).await;
                assert_eq!(read.status, 200, "{path}: {}", read.body);
                after += usize::from(stopped.load(Ordering::SeqCst));
            }
        }
    };
    let stop = async {
        shell.run_beside("remove-standby").await;
        stopped.store(true, Ordering::SeqCst);
    };
    tokio::join!(read, stop);
}

/// How a pool uses its standby, without a service.
async fn wait_and_fall_back(processes: &Processes, standby: &PgConnectOptions, superuser: &mut PgConnection) {
    let primary = PgPool::connect_with(processes.database("feed")).await.unwrap();
    let limits = db::Limits::for_requests(0..=4);
    let settings = db::Settings { options: standby.clone(), schema: "feed", limits };
    let (standby, copies) = db::Standby::open(&settings, db::Pool::of(&primary));
    let standby = Arc::new(standby);
    let pool = db::Pool::of(&primary).with_standby(Arc::clone(&standby));
    let is_copy = async || {
        let mut connection = db::acquire(&pool).await.unwrap();
        sqlx::query_scalar::<_, bool>("select pg_is_in_recovery()").fetch_one(&mut *connection).await.unwrap()
    };
    let everything = LogPosition::default();
    assert!(!reading_after(everything, is_copy()).await, "nothing is known of it yet");
    let followed = tokio::spawn(Arc::clone(&standby).follow());
    wait_until("the standby follows", async || reading_after(everything, is_copy()).await).await;
    assert!(!is_copy().await, "no call that only reads");
    assert!(!reading_after(LogPosition::PRIMARY, is_copy()).await);
    let transaction = async {
        let mut tx = db::begin(&pool).await.unwrap();
        sqlx::query_scalar::<_, bool>("select pg_is_in_recovery()").fetch_one(&mut *tx).await.unwrap()
    };
    assert!(!reading_after(everything, transaction).await);

    let write = async || {
        sqlx::raw_sql("select pg_logical_emit_message(true, 'test', 'x')").execute(&primary).await.unwrap();
        standby.written().await.unwrap()
    };
    // It waits for a standby that is a little late.
    pause(superuser).await;
    let written = write().await;
    let (is_read_there, ()) = tokio::join!(reading_after(written, is_copy()), async {
        tokio::time::sleep(Duration::from_millis(20)).await;
        resume(superuser).await;
    });
    // On a busy machine it may have given up.
    eprintln!("late by 20 ms: read at the standby: {is_read_there}");
    wait_until("the standby has replayed it", async || reading_after(written, is_copy()).await).await;
    // And not for one that is too late.
    pause(superuser).await;
    let written = write().await;
    assert!(!reading_after(written, is_copy()).await);
    wait_until("it does not follow any more", async || !reading_after(everything, is_copy()).await).await;
    resume(superuser).await;
    wait_until("it follows again", async || reading_after(everything, is_copy()).await).await;
    // A position that a client invents delays only its own reads.
    assert!(!reading_after(LogPosition(u64::MAX - 1), is_copy()).await);
    wait_until("it is still used", async || reading_after(everything, is_copy()).await).await;
    followed.abort();
    copies.close().await;
}
