//! Crawls of sources on this machine: imported, shown, kept when the source is unavailable, and completed after the
//! crawling process was killed.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use chassis::config::Source;
use portia::stack::Stack;
use portia_bench::sources::{Sources, board, feed};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::{
    browser::Browser,
    local::{config, folder, start_with},
    processes::Processes,
};

/// Paths of the sources.
const FEED: &str = "/feed";
const BOARD: &str = "/boards/bench/";
/// Postings per transaction of a crawl.
const BATCH: u64 = 100;
/// The maximum duration of a crawl of this machine.
const MAX_DELAY: Duration = Duration::from_secs(90);

/// This machine's feed and board, and the demo source.
fn crawling(sources: &Sources) -> Source {
    let here = sources.address;
    config()
        .with("crawl", "on")
        .with("crawl_admit", here.to_string())
        .with("news_feeds", format!("demo, bench=http://{here}{FEED}"))
        .with("jobs_sources", "demo, greenhouse:bench=Bench LLP")
        .with("greenhouse_url", format!("http://{here}"))
}

async fn eventually<T>(what: &str, mut check: impl AsyncFnMut() -> Option<T>) -> T {
    let asked = Instant::now();
    loop {
        if let Some(found) = check().await {
            return found;
        }
        assert!(asked.elapsed() < MAX_DELAY, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the status page shows the source in this state.
async fn source_in_state(browser: &mut Browser, service: &str, name: &str, state: &str) -> Value {
    eventually(&format!("{name} is not {state}"), async || {
        let page = browser.get("/api/status").await.expect(200);
        // Null while the service is unavailable.
        let sources = page[service].as_array()?.clone();
        sources.into_iter().find(|source| source["name"] == json!(name) && source["state"] == json!(state))
    })
    .await
}

/// Refreshes until the service, which may have been killed a moment ago, is not busy.
async fn refresh(browser: &mut Browser, what: &str) -> Value {
    eventually(&format!("{what} is not refreshed"), async || {
        let response = browser.send(Method::POST, &format!("/api/{what}/refresh"), None, &[]).await;
        (response.status != 503).then(|| response.expect(200))
    })
    .await
}

async fn list(browser: &mut Browser, path: &str) -> Vec<Value> {
    let body = browser.get(path).await.expect(200);
    body.as_array().or(body["articles"].as_array()).unwrap().clone()
}

async fn connect(stack: &Stack, service: &str) -> PgConnection {
    stack.context(service).unwrap().database.clone().unwrap().connect().await.unwrap()
}

/// Moves the last refresh a minute into the past.
async fn a_minute_later(db: &mut PgConnection, service: &str) {
    let statement = format!("update {service}.refreshes set began_at = '2000-01-01'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(db).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn crawled_items_are_shown_and_stay_when_sources_are_unavailable() {
    let sources = Sources::start().await.unwrap();
    let data = folder();
    let stack = start_with(&data, true, crawling(&sources)).await;
    let mut visitor = Browser::new(format!("http://{}", stack.address));

    // Without external access the demo sources are marked as such, and the status page shows the reason.
    let failing = source_in_state(&mut visitor, "jobs", "Bench LLP", "failing").await;
    assert_eq!(
        (&failing["connector"], &failing["failure"]),
        (&json!("greenhouse"), &json!("The server answered 503."))
    );
    assert_eq!((&failing["lastSuccessAt"], failing["lastRunAt"].is_string()), (&Value::Null, true));
    source_in_state(&mut visitor, "news", "Bench", "failing").await;
    for path in ["/api/jobs", "/api/news"] {
        let shown = eventually("there is no demo", async || {
            Some(list(&mut visitor, path).await).filter(|shown| !shown.is_empty())
        })
        .await;
        assert!(shown.iter().all(|each| each["isDemo"] == json!(true)), "{path}: {shown:?}");
    }

    sources.serve(BOARD, Some(board(3)));
    sources.serve(FEED, Some(feed(5)));
    for service in ["jobs", "news"] {
        a_minute_later(&mut connect(&stack, service).await, service).await;
    }
    assert_eq!(refresh(&mut visitor, "jobs").await, json!({ "newJobs": 3 }));
    assert_eq!(refresh(&mut visitor, "news").await, json!({ "newArticles": 5 }));
    let healthy = source_in_state(&mut visitor, "jobs", "Bench LLP", "healthy").await;
    assert_eq!((&healthy["newItems"], &healthy["failure"]), (&json!(3), &Value::Null));
    source_in_state(&mut visitor, "news", "Bench", "healthy").await;
    let jobs = list(&mut visitor, "/api/jobs").await;
    assert_eq!(jobs.len(), 3, "the demo is gone");
    for job in &jobs {
        assert_eq!((&job["company"], &job["isDemo"]), (&json!("Bench LLP"), &json!(false)), "{job}");
        assert!(!job["description"].as_str().unwrap().contains(['<', '&']), "{job}");
        let whole = visitor.get(&format!("/api/jobs/{}", job["id"].as_str().unwrap())).await.expect(200);
        let (summary, description) = (job["description"].as_str().unwrap(), whole["description"].as_str().unwrap());
        assert!(description.len() > summary.len() && description.starts_with(&summary[..400]));
    }
    let stats = visitor.get("/api/jobs/stats/overview").await.expect(200);
    assert_eq!(stats["totalJobs"], json!(3));
    let stories = list(&mut visitor, "/api/news").await;
    assert_eq!(stories.len(), 5);
    assert!(stories.iter().all(|story| story["isDemo"] == json!(false) && story["publishedAt"].is_string()));

    // Within a minute of the last refresh no source is fetched again.
    let asked = (sources.request_count(BOARD), sources.request_count(FEED));
    assert_eq!(refresh(&mut visitor, "jobs").await, json!({ "newJobs": 0 }));
    assert_eq!(refresh(&mut visitor, "news").await, json!({ "newArticles": 0 }));
    assert_eq!((sources.request_count(BOARD), sources.request_count(FEED)), asked);

    // A restart while the sources are unavailable.
    stack.stop().await.unwrap();
    sources.serve(BOARD, None);
    sources.serve(FEED, None);
    let stack = start_with(&data, true, crawling(&sources)).await;
    let mut visitor = Browser::new(format!("http://{}", stack.address));
    assert_eq!(refresh(&mut visitor, "jobs").await, json!({ "newJobs": 0 }), "the minute outlives the process");
    assert_eq!(sources.request_count(BOARD), asked.0);
    for service in ["jobs", "news"] {
        a_minute_later(&mut connect(&stack, service).await, service).await;
        refresh(&mut visitor, service).await;
    }
    let failing = source_in_state(&mut visitor, "jobs", "Bench LLP", "failing").await;
    assert_eq!(failing["lastSuccessAt"], healthy["lastSuccessAt"], "the age of the data is shown");
    source_in_state(&mut visitor, "news", "Bench", "failing").await;
    assert!(sources.request_count(BOARD) > asked.0 && sources.request_count(FEED) > asked.1);
    assert_eq!(list(&mut visitor, "/api/jobs").await, jobs, "the last successful data is kept");
    assert_eq!(list(&mut visitor, "/api/news").await, stories);
    stack.stop().await.unwrap();
}

/// Every open posting, by following the pages.
async fn every_job(browser: &mut Browser) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut next = Some("/api/jobs?limit=100".to_owned());
    while let Some(path) = next.take() {
        let answer = browser.get(&path).await;
        let link = answer.headers.get("link").map(|link| link.to_str().unwrap().to_owned());
        next = link.and_then(|link| Some(link.strip_prefix('<')?.split_once('>')?.0.to_owned()));
        for job in answer.expect(200).as_array().unwrap() {
            assert!(found.insert(job["id"].as_str().unwrap().to_owned()), "listed twice: {job}");
        }
    }
    found
}

async fn total(browser: &mut Browser) -> u64 {
    let stats = browser.get_once("/api/jobs/stats/overview").await;
    // Unavailable while its process restarts.
    if stats.status == 200 { stats.body["totalJobs"].as_u64().unwrap() } else { u64::MAX }
}

/// Requests crawls of jobs until one waits for a lock of `other`, and kills the process. On a busy machine, the request may end
/// before, and the crawl with it or later.
async fn kill_while_blocked(processes: &mut Processes, other: &mut PgConnection) {
    let mut db = processes.database("jobs").connect().await.unwrap();
    let blocker: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(other).await.unwrap();
    let base = processes.base.clone();
    let mut requested = None;
    eventually("no crawl reaches the third batch", async || {
        let is_blocked = "select exists (select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))";
        if sqlx::query_scalar(is_blocked).bind(blocker).fetch_one(&mut db).await.unwrap() {
            return Some(());
        }
        if requested.as_ref().is_none_or(tokio::task::JoinHandle::is_finished) {
            let mut impatient = Browser::new(&base);
            a_minute_later(&mut db, "jobs").await;
            let request = async move { impatient.send(Method::POST, "/api/jobs/refresh", None, &[]).await.status };
            requested = Some(tokio::spawn(request));
        }
        None
    })
    .await;
    processes.kill("jobs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_that_is_killed_halfway_loses_nothing_and_the_next_one_completes_it() {
    const ALL: u64 = 5 * BATCH;
    let sources = Sources::start().await.unwrap();
    let here = sources.address.to_string();
    let mut processes = Processes::start(&[
        ("PORTIA_CRAWL", "on"),
        ("PORTIA_CRAWL_ADMIT", &here),
        ("PORTIA_NEWS_FEEDS", "none"),
        ("PORTIA_JOBS_SOURCES", "greenhouse:bench=Bench LLP"),
        ("PORTIA_GREENHOUSE_URL", &format!("http://{here}")),
    ])
    .await;
    let mut visitor = Browser::new(&processes.base);
    source_in_state(&mut visitor, "jobs", "Bench LLP", "failing").await;

    // A posting of the third batch is not written as long as another session has the lock.
    let page = board(u32::try_from(ALL).unwrap());
    let title = serde_json::from_slice::<Value>(&page.body).unwrap()["jobs"][250]["title"].as_str().unwrap().to_owned();
    let mut other = processes.owner("jobs").connect().await.unwrap();
    let held = format!(
        "create function jobs.wait() returns trigger language plpgsql as
            'begin perform pg_advisory_xact_lock(250); return new; end';
        create trigger wait before insert on jobs.postings
            for each row when (new.title = '{title}') execute function jobs.wait();
        select pg_advisory_lock(250)"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(held)).execute(&mut other).await.unwrap();
    sources.serve(BOARD, Some(page));
    kill_while_blocked(&mut processes, &mut other).await;
    processes.spawn("jobs");
    let is_half = async || (total(&mut visitor).await == 2 * BATCH).then_some(());
    eventually("jobs does not come back", is_half).await;
    sqlx::raw_sql("select pg_advisory_unlock(250)").execute(&mut other).await.unwrap();
    let kept = every_job(&mut visitor).await;
    assert_eq!(kept.len() as u64, 2 * BATCH, "what was written is there, and no partial batch");

    // Two minutes later the lease of the killed crawl has expired.
    sqlx::raw_sql(
        "update jobs.sources set leased_until = '2000-01-01' where leased_by is not null;
        update jobs.refreshes set began_at = '2000-01-01'",
    )
    .execute(&mut other)
    .await
    .unwrap();
    other.close().await.unwrap();
    refresh(&mut visitor, "jobs").await;
    eventually("the next crawl does not complete it", async || (total(&mut visitor).await == ALL).then_some(())).await;
    let all = every_job(&mut visitor).await;
    assert!(all.len() as u64 == ALL && kept.is_subset(&all), "{} postings", all.len());
    source_in_state(&mut visitor, "jobs", "Bench LLP", "healthy").await;
}
