//! Several replicas, and ones that are stopped in the middle: each source is one's at a time, and nothing stays half.

use std::{sync::Arc, time::Duration};

use chrono::TimeDelta;
use db::begin;
use futures::future::join_all;
use jobs::{config::Settings, crawl::Crawler, sources};
use outbox::Outbox;
use serde_json::Value;
use sqlx::{AssertSqlSafe, ConnectOptions as _};
use testkit::Harness;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, at, greenhouse, offer},
    site::Site,
};

/// One more process beside the harness's.
pub fn crawler(harness: &Harness) -> Crawler {
    let settings: Settings = harness.context.config.extract().unwrap();
    let configured = settings.sources().unwrap();
    Crawler::new(&harness.context, harness.pool(), &Outbox::new("jobs"), settings, &configured).unwrap()
}

/// A database whose sources are configured, and in which nothing works by itself.
async fn still(site: &Site, sources: &str) -> Harness {
    let builder = Harness::of("jobs").database(&jobs::MIGRATOR).await;
    let harness = at(site, sources, builder).context();
    let configured = harness.context.config.extract::<Settings>().unwrap().sources().unwrap();
    let mut db = harness.pool().acquire().await.unwrap();
    sources::configure(&mut db, &harness.context.ids, &configured, harness.clock.now()).await.unwrap();
    harness
}

async fn count(harness: &Harness, question: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(harness.pool()).await.unwrap()
}

async fn assert_kept(harness: &Harness) {
    let kept = count(harness, "select coalesce(sum(total), 0)::bigint from jobs.stats").await;
    assert_eq!(kept, count(harness, "select count(*) from jobs.postings where closed_at is null").await);
}

/// How each crawl ended, the first one first.
async fn ends(harness: &Harness) -> Vec<String> {
    let crawls = "select new_items || ' new. ' || coalesce(failure, '') from jobs.crawls order by started_at, id";
    sqlx::query_scalar(crawls).fetch_all(harness.pool()).await.unwrap()
}

fn offers(numbers: std::ops::RangeInclusive<u32>) -> Vec<Value> {
    numbers.map(|n| offer(n, &format!("Attorney {n}"))).collect()
}

#[tokio::test]
async fn many_workers_crawl_each_source_once() {
    let site = Site::open().await;
    let names: Vec<String> = (0..12).map(|n| format!("greenhouse:firm{n}=Firm {n}")).collect();
    for n in 0..12 {
        site.put(&format!("/v1/boards/firm{n}/jobs"), greenhouse(&[offer(n, &format!("Attorney {n}"))]));
    }
    let harness = still(&site, &names.join(",")).await;
    let workers = (0..4).map(|_| async {
        let crawler = crawler(&harness);
        let mut crawled = 0;
        while let Some(leased) = crawler.claim().await.unwrap() {
            crawler.crawl(&leased).await;
            crawled += 1;
        }
        crawled
    });
    assert_eq!(join_all(workers).await.into_iter().sum::<i32>(), 12);
    assert_eq!(site.asked().len(), 12);
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 12);
    assert_kept(&harness).await;
}

#[tokio::test]
async fn two_sources_at_once_open_a_posting_once() {
    for _ in 0..5 {
        let site = Site::open().await;
        let both = offers(1..=300);
        site.put("/v1/boards/one/jobs", greenhouse(&both));
        site.put("/v1/boards/two/jobs", greenhouse(&both.into_iter().rev().collect::<Vec<_>>()));
        let harness = still(&site, "greenhouse:one=Firm,greenhouse:two=Firm").await;
        let (one, two) = (crawler(&harness), crawler(&harness));
        let (first, second) = (one.claim().await.unwrap().unwrap(), two.claim().await.unwrap().unwrap());
        assert!(one.claim().await.unwrap().is_none(), "both are taken");
        tokio::join!(one.crawl(&first), two.crawl(&second));
        assert_eq!(count(&harness, "select count(*) from jobs.crawls where failure is not null").await, 0);
        assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 300);
        assert_kept(&harness).await;
    }
}

#[tokio::test]
async fn a_twin_that_slept_over_its_lease_writes_nothing() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&offers(1..=3)));
    let harness = still(&site, FIRM_SOURCE).await;
    let (paused, other) = (Arc::new(crawler(&harness)), crawler(&harness));
    let leased = paused.claim().await.unwrap().unwrap();
    site.hold();
    let sleeping = tokio::spawn({
        let paused = Arc::clone(&paused);
        async move { paused.crawl(&leased).await }
    });
    site.was_asked(1).await;
    assert!(other.claim().await.unwrap().is_none(), "while its lease lasts");
    harness.clock.advance(TimeDelta::minutes(2));
    let taken_over = other.claim().await.unwrap().expect("its lease is over");
    site.put(FIRM, greenhouse(&offers(1..=1)));
    site.let_go();
    sleeping.await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 0, "it found out before it wrote");
    other.crawl(&taken_over).await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 1);
    assert_eq!(ends(&harness).await, ["0 new. It was cut off.", "1 new. "]);
    assert_kept(&harness).await;
}

#[tokio::test]
async fn one_whose_lease_is_over_writes_nothing_even_if_nobody_took_its_place() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&offers(1..=3)));
    let harness = still(&site, FIRM_SOURCE).await;
    let crawler = crawler(&harness);
    let leased = crawler.claim().await.unwrap().unwrap();
    harness.clock.advance(TimeDelta::minutes(2));
    crawler.crawl(&leased).await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 0);
    assert_eq!(count(&harness, "select count(*) from jobs.sources where last_run_at is null").await, 1);
    let again = crawler.claim().await.unwrap().unwrap();
    crawler.crawl(&again).await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 3);
}

#[tokio::test]
async fn one_that_is_killed_in_the_middle_is_completed_by_the_next() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&offers(1..=250)));
    let harness = still(&site, FIRM_SOURCE).await;
    let (killed, next) = (crawler(&harness), crawler(&harness));
    let leased = killed.claim().await.unwrap().unwrap();
    // The second hundred waits for somebody who puts one of them too, and never says so.
    let mut blocker = harness.database().options().connect().await.unwrap();
    let held = "
        begin;
        insert into jobs.postings (id, source_id, url, title, company, remote, description, posted_at)
        select gen_random_uuid(), id, 'https://boards.greenhouse.example/firm/jobs/150', 'Held', 'Firm', false, '', 'epoch'
        from jobs.sources";
    sqlx::raw_sql(held).execute(&mut blocker).await.unwrap();
    let crawl = tokio::spawn(async move { killed.crawl(&leased).await });
    let one_batch = async { while count(&harness, "select count(*) from jobs.postings").await < 100 {} };
    tokio::time::timeout(Duration::from_secs(30), one_batch).await.expect("a batch is committed");
    crawl.abort();
    assert!(crawl.await.unwrap_err().is_cancelled());
    sqlx::raw_sql("rollback").execute(&mut blocker).await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.postings").await, 100);
    assert_kept(&harness).await;

    assert!(next.claim().await.unwrap().is_none(), "it may still be alive");
    harness.clock.advance(TimeDelta::minutes(2));
    let leased = next.claim().await.unwrap().expect("its lease is over");
    next.crawl(&leased).await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings where misses = 0").await, 250);
    assert_eq!(ends(&harness).await, ["100 new. It was cut off.", "150 new. "]);
    assert_kept(&harness).await;
}

#[tokio::test]
async fn a_process_that_stops_gives_back_what_it_crawls() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.hold();
    board.harness.clock.advance(TimeDelta::hours(12));
    board.until("select leased_by is not null from jobs.sources").await;
    board.harness.stop().await;
    let free = count(
        &board.harness,
        "select count(*) from jobs.sources where leased_by is null and due_at < '2026-03-02 21:00Z'",
    )
    .await;
    assert_eq!(free, 1, "nobody need wait for the lease to end");
    site.let_go();
    let other = crawler(&board.harness);
    // Later than the crawl that was cut off, so that it is known for the last one.
    board.harness.clock.advance(TimeDelta::seconds(1));
    let leased = other.claim().await.unwrap().expect("it is due");
    other.crawl(&leased).await;
    assert_eq!(ends(&board.harness).await.last().unwrap(), "0 new. ");
}

/// The demo's crawl holds its source and wants the openings; whoever closes the last real posting has those.
#[tokio::test]
async fn closing_the_last_real_posting_does_not_wait_for_the_demos_crawl() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&offers(1..=1)));
    let harness = still(&site, &format!("demo,{FIRM_SOURCE}")).await;
    let crawler = crawler(&harness);
    let crawl = async || {
        while let Some(leased) = crawler.claim().await.unwrap() {
            crawler.crawl(&leased).await;
        }
        harness.clock.advance(TimeDelta::days(1));
    };
    crawl().await;
    site.put(FIRM, greenhouse(&[]));
    crawl().await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 1, "missed once");

    // The demo's crawl, which was asked for, is at the beginning of a transaction.
    harness.database().run("update jobs.sources set due_at = '2100-01-01' where connector = 'demo'").await;
    let mut demo = begin(harness.pool()).await.unwrap();
    let holding = "update jobs.sources set leased_until = leased_until where connector = 'demo'";
    sqlx::raw_sql(holding).execute(&mut *demo).await.unwrap();
    tokio::time::timeout(Duration::from_secs(20), crawl()).await.expect("it closes what is gone");
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 0);
    jobs::closing::hold(&mut demo).await.unwrap();
    demo.commit().await.unwrap();
    assert_eq!(count(&harness, "select count(*) from jobs.crawls where failure is not null").await, 0);

    // The demo was not told, and is within the minute.
    let due = format!(
        "select count(*) from jobs.sources where connector = 'demo' and due_at <= '{}'",
        harness.clock.now().to_rfc3339()
    );
    assert_eq!(count(&harness, &due).await, 0);
    jobs::closing::overdue(harness.pool(), &Outbox::new("jobs"), &harness.clock).await.unwrap();
    assert_eq!(count(&harness, &due).await, 1);
    crawl().await;
    assert_eq!(count(&harness, "select count(*) from jobs.postings where closed_at is null").await, 12);
    assert_kept(&harness).await;
}

/// The migration that made the listings, run where there were none.
#[tokio::test]
async fn what_was_open_before_there_were_listings_is_listed_and_the_release_before_opens_nothing() {
    let site = Site::open().await;
    let board = Board::crawling(&site, "demo").await;
    let before = "
        drop table jobs.listings;
        drop function jobs.filter_sets;
        alter table jobs.openings drop constraint openings_id_check;
        update jobs.openings set id = 1;
        alter table jobs.openings add constraint openings_id_check check (id = 1)";
    board.harness.database().run(before).await;
    board.harness.database().run(include_str!("../../migrations/20261125000001_listings.sql")).await;
    assert!(board.count("select count(*) from jobs.listings").await > 12);
    board.assert_kept().await;
    assert_eq!(
        board.count("select count(*) from jobs.openings where id = 1").await,
        0,
        "it cannot hold what it looks for"
    );
}
