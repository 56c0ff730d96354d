//! Several replicas, suspended and killed processes: a source is crawled by one, and no partial result remains.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use crawler::schedule::Crawl as _;
use db::begin;
use futures::future::join_all;
use jobs::{
    config::Settings,
    crawl::Crawler,
    sources::{self, ConfiguredSource},
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, ConnectOptions as _};
use testkit::Harness;

use crate::{
    board_server::BoardServer,
    fixtures::{FIRM, FIRM_SOURCE, Fixture, at, changes, greenhouse, offer},
};

/// The crawler of another process.
pub fn crawler(harness: &Harness) -> Crawler {
    let settings: Settings = harness.context.config.extract().unwrap();
    let configured = ConfiguredSource::all_of(&settings).unwrap();
    Crawler::new(&harness.context, harness.pool(), &changes(harness), settings, &configured).unwrap()
}

/// A database with configured sources and no running crawler.
async fn configured(server: &BoardServer, sources: &str) -> Harness {
    let builder = Harness::of("jobs").database(&jobs::MIGRATOR).await;
    let harness = at(server, sources, builder).context();
    let configured = ConfiguredSource::all_of(&harness.context.config.extract().unwrap()).unwrap();
    let mut db = harness.pool().acquire().await.unwrap();
    sources::configure(&mut changes(&harness).work(&mut db), &configured).await.unwrap();
    harness
}

async fn count(harness: &Harness, question: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(harness.pool()).await.unwrap()
}

async fn assert_derived_rows(harness: &Harness) {
    let kept = count(harness, "select coalesce(sum(total), 0)::bigint from jobs.stats").await;
    assert_eq!(kept, count(harness, "select count(*) from jobs.postings where closed_at is null").await);
}

/// The outcomes of all crawls, oldest first.
async fn outcomes(harness: &Harness) -> Vec<String> {
    let crawls = "select new_items || ' new. ' || coalesce(failure, '') from jobs.crawls order by started_at, id";
    sqlx::query_scalar(crawls).fetch_all(harness.pool()).await.unwrap()
}

fn offers(numbers: std::ops::RangeInclusive<u32>) -> Vec<Value> {
    numbers.map(|n| offer(n, &format!("Attorney {n}"))).collect()
}

#[tokio::test]
async fn many_workers_crawl_each_source_once() {
    let server = BoardServer::start().await;
    let names: Vec<String> = (0..12).map(|n| format!("greenhouse:firm{n}=Firm {n}")).collect();
    for n in 0..12 {
        server.serve(&format!("/v1/boards/firm{n}/jobs"), greenhouse(&[offer(n, &format!("Attorney {n}"))]));
    }
    let harness = configured(&server, &names.join(",")).await;
    let workers = (0..4).map(|_| async {
        let crawler = crawler(&harness);
        let mut crawled = 0;
        while let Some(leased) = crawler.schedule.claim().await.unwrap() {
            crawler.crawl(&leased).await.unwrap();
            crawled += 1;
        }
        crawled
    });
    assert_eq!(join_all(workers).await.into_iter().sum::<i32>(), 12);
    assert_eq!(server.requests().len(), 12);
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 12);
    assert_derived_rows(&harness).await;
}

#[tokio::test]
async fn two_concurrent_sources_open_a_posting_once() {
    for _ in 0..5 {
        let server = BoardServer::start().await;
        let both = offers(1..=300);
        server.serve("/v1/boards/one/jobs", greenhouse(&both));
        server.serve("/v1/boards/two/jobs", greenhouse(&both.into_iter().rev().collect::<Vec<_>>()));
        let harness = configured(&server, "greenhouse:one=Firm,greenhouse:two=Firm").await;
        let (one, two) = (crawler(&harness), crawler(&harness));
        let (first, second) =
            (one.schedule.claim().await.unwrap().unwrap(), two.schedule.claim().await.unwrap().unwrap());
        assert!(one.schedule.claim().await.unwrap().is_none(), "both are taken");
        tokio::join!(async { one.crawl(&first).await.unwrap() }, async { two.crawl(&second).await.unwrap() });
        assert_eq!(count(&harness, "select count(*) from jobs.crawls where failure is not null").await, 0);
        assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 300);
        assert_derived_rows(&harness).await;
    }
}

#[tokio::test]
async fn a_suspended_process_without_its_lease_writes_nothing() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&offers(1..=3)));
    let harness = configured(&server, FIRM_SOURCE).await;
    let (paused, other) = (Arc::new(crawler(&harness)), crawler(&harness));
    let leased = paused.schedule.claim().await.unwrap().unwrap();
    server.hold();
    let sleeping = tokio::spawn({
        let paused = Arc::clone(&paused);
        async move { paused.crawl(&leased).await }
    });
    server.wait_for_requests(1).await;
    assert!(other.schedule.claim().await.unwrap().is_none(), "while its lease lasts");
    harness.clock.advance(TimeDelta::minutes(2));
    let taken_over = other.schedule.claim().await.unwrap().expect("its lease is over");
    server.serve(FIRM, greenhouse(&offers(1..=1)));
    server.release();
    sleeping.await.unwrap().unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 0, "it found out before it wrote");
    other.crawl(&taken_over).await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 1);
    assert_eq!(outcomes(&harness).await, ["0 new. It was cut off.", "1 new. "]);
    assert_derived_rows(&harness).await;
}

#[tokio::test]
async fn an_expired_lease_writes_nothing_even_without_a_successor() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&offers(1..=3)));
    let harness = configured(&server, FIRM_SOURCE).await;
    let crawler = crawler(&harness);
    let leased = crawler.schedule.claim().await.unwrap().unwrap();
    harness.clock.advance(TimeDelta::minutes(2));
    crawler.crawl(&leased).await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 0);
    assert_eq!(count(&harness, "select count(*) from jobs.sources where last_run_at is null").await, 1);
    let again = crawler.schedule.claim().await.unwrap().unwrap();
    crawler.crawl(&again).await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 3);
}

#[tokio::test]
async fn the_crawl_of_a_killed_process_is_completed_by_the_next() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&offers(1..=250)));
    let harness = configured(&server, FIRM_SOURCE).await;
    let (killed, next) = (crawler(&harness), crawler(&harness));
    let leased = killed.schedule.claim().await.unwrap().unwrap();
    // The second batch waits for a transaction that holds one of its addresses.
    let mut blocker = harness.database().options().connect().await.unwrap();
    let held = "
        begin;
        insert into jobs.postings (id, source_id, url, title, company, remote, description, posted_at)
        select gen_random_uuid(), id, 'https://boards.greenhouse.example/firm/jobs/150', 'Held', 'Firm', false, '', 'epoch'
        from jobs.sources";
    sqlx::raw_sql(held).execute(&mut blocker).await.unwrap();
    let crawl = tokio::spawn(async move { killed.crawl(&leased).await });
    let one_batch = async {
        while count(&harness, "select count(*) from jobs.postings").await < 100 {
            testkit::pause().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), one_batch).await.expect("a batch is committed");
    crawl.abort();
    assert!(crawl.await.unwrap_err().is_cancelled());
    sqlx::raw_sql("rollback").execute(&mut blocker).await.unwrap();
    // The transaction of the second batch ends soon after its task. Until then it locks the source, and a claim passes over it.
    count(&harness, "select count(*) from (select from jobs.sources for update) locked").await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 100);
    assert_derived_rows(&harness).await;

    assert!(next.schedule.claim().await.unwrap().is_none(), "it may still be alive");
    harness.clock.advance(TimeDelta::minutes(2));
    let leased = next.schedule.claim().await.unwrap().expect("its lease is over");
    next.crawl(&leased).await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings where misses = 0").await, 250);
    assert_eq!(outcomes(&harness).await, ["100 new. It was cut off.", "150 new. "]);
    assert_derived_rows(&harness).await;
}

#[tokio::test]
async fn a_stopping_process_releases_its_leases() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.hold();
    fixture.harness.clock.advance(TimeDelta::hours(12));
    fixture.wait_until("select leased_by is not null from jobs.sources").await;
    fixture.harness.stop().await;
    let free = count(
        &fixture.harness,
        "select count(*) from jobs.sources where leased_by is null and due_at < '2026-03-02 21:00Z'",
    )
    .await;
    assert_eq!(free, 1, "the lease is released");
    server.release();
    let other = crawler(&fixture.harness);
    // Later than the interrupted crawl, so that it is the last one.
    fixture.harness.clock.advance(TimeDelta::seconds(1));
    let leased = other.schedule.claim().await.unwrap().expect("it is due");
    other.crawl(&leased).await.unwrap();
    assert_eq!(outcomes(&fixture.harness).await.last().unwrap(), "0 new. ");
}

/// The crawl of the demo locks its source and then the openings. The transaction that closes the last real posting has
/// locked the openings.
#[tokio::test]
async fn closing_the_last_real_posting_does_not_wait_for_the_crawl_of_the_demo() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&offers(1..=1)));
    let harness = configured(&server, &format!("demo,{FIRM_SOURCE}")).await;
    let crawler = crawler(&harness);
    let crawl = async || {
        while let Some(leased) = crawler.schedule.claim().await.unwrap() {
            crawler.crawl(&leased).await.unwrap();
        }
        harness.clock.advance(TimeDelta::days(1));
    };
    crawl().await;
    server.serve(FIRM, greenhouse(&[]));
    crawl().await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 1, "missed once");

    // The crawl of the demo has begun a transaction.
    harness.database().run("update jobs.sources set due_at = '2100-01-01' where connector = 'demo'").await;
    let mut demo = begin(harness.pool()).await.unwrap();
    let holding = "update jobs.sources set leased_until = leased_until where connector = 'demo'";
    sqlx::raw_sql(holding).execute(&mut *demo).await.unwrap();
    tokio::time::timeout(Duration::from_secs(120), crawl()).await.expect("it closes what is gone");
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 0);
    jobs::expiry::lock_openings(&mut demo).await.unwrap();
    demo.commit().await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.crawls where failure is not null").await, 0);

    // The demo was skipped and is scheduled within a minute.
    let due = format!(
        "select count(*) from jobs.sources where connector = 'demo' and due_at <= '{}'",
        harness.clock.now().to_rfc3339()
    );
    assert_eq!(count(&harness, &due).await, 0);
    jobs::expiry::close_expired(harness.pool(), &changes(&harness)).await.unwrap();
    assert_eq!(count(&harness, &due).await, 1);
    crawl().await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 15);
    assert_derived_rows(&harness).await;
}
