//! Two processes of one service, which start, stop and are killed under load.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use serde_json::json;
use sqlx::{ConnectOptions as _, Connection as _};

use crate::{browser::Browser, processes::Processes};

/// The timeout of a wait, also on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

async fn wait_until(what: &str, holds: impl AsyncFn() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < TIMEOUT, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The finished calls of one method, from the metrics of a process.
async fn calls(admin: &str, method: &str) -> u64 {
    let metrics = reqwest::get(format!("{admin}/metrics")).await.unwrap().text().await.unwrap();
    let label = format!("method=\"{method}\"");
    let own = metrics.lines().filter(|line| line.starts_with("rpc_server_requests_total") && line.contains(&label));
    own.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_replicas_share_the_load_and_one_that_ends_fails_no_read() {
    let mut processes = Processes::start_replicated("feed").await;
    let admins = [processes.admin("feed"), processes.admin("feed-2")];
    let ready = async |admin: &str| {
        let probe = format!("{admin}/readyz");
        wait_until("a replica is ready", async || {
            reqwest::get(&probe).await.is_ok_and(|response| response.status().is_success())
        })
        .await;
    };
    for admin in &admins {
        ready(admin).await;
    }
    let mut member = Browser::new(&processes.base);
    member.register("reads.on").await;
    let post = member.post("/api/posts", json!({"content": "Still here"})).await.expect(201);
    let path = format!("/api/posts/{}/comments", post["id"].as_str().unwrap());

    let (finished, killing) = (AtomicBool::new(false), AtomicBool::new(false));
    let (reads, writes, failed_writes) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let read = async |mut reader: Browser| {
        while !finished.load(Ordering::SeqCst) {
            let response = reader.get_once(&path).await;
            assert_eq!(response.status, 200, "{}", response.body);
            reads.fetch_add(1, Ordering::SeqCst);
        }
    };
    let write = async |mut writer: Browser| {
        while !finished.load(Ordering::SeqCst) {
            let during_kill = killing.load(Ordering::SeqCst);
            let response = writer.post("/api/posts", json!({"content": "A note"})).await;
            if response.status == 201 {
                writes.fetch_add(1, Ordering::SeqCst);
            } else {
                assert!(during_kill || killing.load(Ordering::SeqCst), "{} {}", response.status, response.body);
                assert_eq!(response.status, 503, "{}", response.body);
                failed_writes.fetch_add(1, Ordering::SeqCst);
            }
        }
    };
    let more = async |reads_more: usize| {
        let goal = reads.load(Ordering::SeqCst) + reads_more;
        wait_until("members read", async || reads.load(Ordering::SeqCst) >= goal).await;
        let goal = writes.load(Ordering::SeqCst) + 5;
        wait_until("members write", async || writes.load(Ordering::SeqCst) >= goal).await;
    };
    let operate = async {
        more(400).await;
        let [one, two] = [calls(&admins[0], "ListComments").await, calls(&admins[1], "ListComments").await];
        // By load, and a busy machine slows one process more than the other: the tests of rpc show the halves.
        assert!(one * 5 > one + two && two * 5 > one + two, "{one} and {two}");
        for (service, admin) in [("feed-2", &admins[1]), ("feed", &admins[0])] {
            processes.stop(service).await;
            more(100).await;
            processes.spawn(service);
            ready(admin).await;
            wait_until("the next process is used", async || calls(admin, "ListComments").await > 0).await;
        }
        for (service, admin) in [("feed-2", &admins[1]), ("feed", &admins[0])] {
            killing.store(true, Ordering::SeqCst);
            processes.kill(service);
            more(100).await;
            killing.store(false, Ordering::SeqCst);
            processes.spawn(service);
            ready(admin).await;
            wait_until("the next process is used", async || calls(admin, "ListComments").await > 0).await;
        }
        finished.store(true, Ordering::SeqCst);
    };
    let copy = || member.with_cookie_of(&member);
    tokio::join!(read(copy()), read(copy()), read(copy()), write(copy()), write(copy()), operate);
    // Each kill interrupts at most the write that each writer waits for.
    assert!(failed_writes.load(Ordering::SeqCst) <= 4);
}

/// Series that appear with the first failure have no rate for an alert.
async fn wait_for_metrics_of_facts(admin: &str) {
    for series in ["outbox_lag_facts", "outbox_lag_seconds", "outbox_dead_facts", "outbox_dead_facts_total"] {
        let line = format!("{series}{{source=\"auth\",consumer=\"feed\"}} 0");
        wait_until(&line, async || {
            let metrics = reqwest::get(format!("{admin}/metrics")).await.unwrap().text().await.unwrap();
            metrics.lines().any(|known| known == line)
        })
        .await;
    }
}

/// A process that waits for its migration listens on no socket, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_not_ready_before_its_migration_and_ends_at_once_when_stopped() {
    let mut processes = Processes::start_replicated("feed").await;
    let admin = processes.admin("feed-2");
    let status = async |probe: &str| Some(reqwest::get(format!("{admin}{probe}")).await.ok()?.status().as_u16());
    wait_until("ready", async || status("/readyz").await == Some(200)).await;
    wait_for_metrics_of_facts(&admin).await;
    processes.stop("feed-2").await;

    let mut blocking = processes.owner("feed").connect().await.unwrap();
    let mut transaction = blocking.begin().await.unwrap();
    sqlx::raw_sql("lock table feed._sqlx_migrations").execute(&mut *transaction).await.unwrap();
    processes.spawn("feed-2");
    wait_until("alive", async || status("/livez").await == Some(200)).await;
    let mut other = processes.database("feed").connect().await.unwrap();
    loop {
        let waits = "select exists (select from pg_locks where not granted)";
        if sqlx::query_scalar::<_, bool>(waits).fetch_one(&mut other).await.unwrap() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((status("/startupz").await, status("/readyz").await), (Some(503), Some(503)));
    let listen = processes.address("feed-2").replace("https://", "");
    assert!(tokio::net::TcpStream::connect(listen).await.is_err(), "it does not listen");
    transaction.commit().await.unwrap();
    wait_until("ready", async || status("/readyz").await == Some(200)).await;
    assert_eq!(status("/startupz").await, Some(200));
}
