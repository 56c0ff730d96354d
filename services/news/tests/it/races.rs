//! Several processes, concurrent refreshes, and a killed process.

use std::time::Duration;

use chrono::TimeDelta;
use portia_proto::news::RefreshNewsRequest;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::{runtime, task::JoinSet};

use crate::{
    feed_server::{FeedServer, feed, item},
    fixtures::{Fixture, page},
};

const FINISH: Duration = Duration::from_secs(5);

#[tokio::test]
async fn two_processes_crawl_a_source_once() {
    let server = FeedServer::start().await;
    let now = testkit::clock().now();
    for (n, id) in (1..).zip(["aba", "law_com", "above_the_law"]) {
        server.serve(id, feed(&[item(n, &format!("Story of {id}"), now)]));
    }
    server.answer_next(0);
    let fixture = Fixture::starting(&server, &["aba", "law_com", "above_the_law"]).await;
    let twin = fixture.twin(|config| config);
    let other = Fixture::start(&twin).await;
    server.wait_for_requests(3).await;
    server.answer_all();
    fixture.wait_until_idle().await;
    for id in ["aba", "law_com", "above_the_law"] {
        assert_eq!(server.requests(id).len(), 1, "{id}");
    }
    assert_eq!(fixture.titles(page(1)).await.len(), 3);
    fixture.harness.clock.advance(TimeDelta::seconds(61));
    let (one, two) = tokio::join!(fixture.refresh_now(&fixture.news), fixture.refresh_now(&other));
    assert_eq!(one + two, 0);
    assert_eq!(server.requests("aba").len(), 2, "whichever process was asked first");
    twin.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn a_crawl_without_its_lease_writes_nothing() {
    let server = FeedServer::start().await;
    let now = testkit::clock().now();
    server.serve("aba", feed(&[item(1, "Read by the one who took over", now)]));
    server.answer_next(0);
    let fixture = Fixture::starting(&server, &["aba"]).await;
    server.wait_for_requests(1).await;
    // The first process waits for longer than its lease.
    fixture.harness.clock.advance(TimeDelta::minutes(3));
    let twin = fixture.twin(|config| config);
    Fixture::start(&twin).await;
    server.wait_for_requests(2).await;
    let second = fixture.column("select leased_by::text from news.sources where id = 'aba'").await;
    server.answer_from(2);
    fixture.wait_for_rows("select id::text from news.articles", 1).await;
    fixture.wait_until_idle().await;
    // Now the first process gets its response.
    server.serve("aba", feed(&[item(2, "Read by the one who was given up", now)]));
    server.answer_all();
    // The stop returns after its last attempt to write.
    fixture.harness.context.tasks.stop(FINISH).await;
    twin.tasks.stop(FINISH).await;
    let titles = fixture.column("select title from news.articles").await;
    assert_eq!(titles, ["Read by the one who took over"]);
    let crawls = fixture
        .column("select new_items || ' ' || coalesce(failure, 'read') from news.crawls order by new_items, id")
        .await;
    assert_eq!(crawls, ["0 It was interrupted.", "1 read"]);
    let reader = fixture.column("select id::text from news.crawls where new_items = 1").await;
    assert_eq!(reader, second, "the one with the lease");
    assert_eq!(fixture.column("select new_ever::text from news.sources where id = 'aba'").await, ["1"]);
}

#[tokio::test]
async fn a_thousand_concurrent_refreshes_cause_one_crawl() {
    let server = FeedServer::start().await;
    let now = testkit::clock().now();
    server.serve("aba", feed(&[item(1, "One", now)]));
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    server.serve("aba", feed(&[item(1, "One", now), item(2, "Two", now)]));
    fixture.harness.clock.advance(TimeDelta::seconds(61));
    let mut crowd = JoinSet::new();
    for _ in 0..1_000 {
        let (mut news, visitor) = (fixture.news.clone(), fixture.visitor());
        crowd.spawn(async move {
            let request = visitor.request(RefreshNewsRequest {}).unwrap();
            news.refresh_news(request).await.map(|answer| answer.into_inner().new_articles)
        });
    }
    let answers: Vec<i32> = crowd.join_all().await.into_iter().map(Result::unwrap).collect();
    assert_eq!((answers.iter().sum::<i32>(), answers.iter().max()), (1, Some(&1)), "one caller gets the number");
    assert_eq!(server.requests("aba").len(), 2, "once at the start, once for all of them");

    fixture.harness.clock.advance(TimeDelta::seconds(59));
    assert_eq!(fixture.refresh_now(&fixture.news).await, 0);
    assert_eq!(server.requests("aba").len(), 2, "a minute is a minute");
    fixture.harness.clock.advance(TimeDelta::seconds(2));
    fixture.refresh_now(&fixture.news).await;
    assert_eq!(server.requests("aba").len(), 3);
}

#[tokio::test]
async fn the_cooldown_applies_to_all_processes_and_survives_a_restart() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    fixture.refresh().await;
    fixture.harness.stop().await;
    let twin = fixture.twin(|config| config);
    let other = Fixture::start(&twin).await;
    fixture.harness.clock.advance(TimeDelta::seconds(30));
    fixture.refresh_now(&other).await;
    assert_eq!(server.requests("aba").len(), 2);
    fixture.harness.clock.advance(TimeDelta::seconds(31));
    fixture.refresh_now(&other).await;
    assert_eq!(server.requests("aba").len(), 3);
    twin.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn a_refresh_answers_before_its_deadline_with_the_progress() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[]));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    server.serve("aba", feed(&[item(1, "One", fixture.now())]));
    fixture.harness.clock.advance(TimeDelta::seconds(61));
    // One of the two answers, the other one does not.
    server.answer_next(1);
    let hurried = Duration::from_secs(2);
    let mut new = fixture.try_refresh(&fixture.news, hurried).await;
    // A busy machine may miss a deadline; the product would miss each of them.
    for _ in 0..5 {
        if new.is_none() {
            fixture.harness.clock.advance(TimeDelta::seconds(61));
            new = fixture.try_refresh(&fixture.news, hurried).await;
        }
    }
    let new = new.expect("an answer in time");
    assert!(new <= 1, "whichever of them answered");
    server.answer_all();
    fixture.wait_until_idle().await;
    fixture.refresh().await;
    assert_eq!(fixture.titles(page(1)).await, ["One"], "and nothing is left half");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_crawl_of_a_killed_process_is_completed_by_the_next() {
    const ALL: u32 = 250;
    let server = FeedServer::start().await;
    let fixture = Fixture::with(&[("news_feeds", "none")]).await;
    fixture.harness.stop().await;
    let now = fixture.now();
    let stories: Vec<_> =
        (1..=ALL).map(|n| item(n, &format!("Story number {n}"), now - TimeDelta::hours(i64::from(n)))).collect();
    server.serve("aba", feed(&stories).with(axum::http::header::ETAG, "\"all\""));

    // Another transaction holds an address of the second batch, so the crawl waits there.
    let mut other = fixture.harness.database().options().connect().await.unwrap();
    let held = format!(
        "begin;
        insert into news.articles (id, story_id, source_id, url, canonical_url, title, found_at)
        values (
            '{id}', '{id}', 'law_com', 'https://stories.example/150', 'https://stories.example/150', 'Held', '2026-01-01'
        )",
        id = crate::fixtures::article_id(150),
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(held)).execute(&mut other).await.unwrap();

    let (feeds, admitted) = (server.feeds(&["aba"]), server.address.to_string());
    let twin = || {
        fixture.twin(|config| {
            config.with("crawl", "on").with("news_feeds", feeds.clone()).with("crawl_admit", admitted.clone())
        })
    };
    // The first process has its own runtime, so that it can be killed.
    let life = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (dying, handle) = (twin(), life.handle().clone());
    tokio::task::spawn_blocking(move || handle.block_on(Fixture::start(&dying))).await.unwrap();
    fixture.wait_for_rows("select id::text from news.articles", 100).await;
    life.shutdown_background();
    sqlx::raw_sql("rollback").execute(&mut other).await.unwrap();
    other.close().await.unwrap();

    let successor = twin();
    let news = Fixture::start(&successor).await;
    let new = fixture.try_refresh(&news, Duration::from_secs(2)).await;
    assert_eq!((new.unwrap_or_default(), server.requests("aba").len()), (0, 1), "the dead one's lease is respected");
    fixture.harness.clock.advance(TimeDelta::minutes(3));
    assert_eq!(fixture.refresh_now(&news).await, 150);
    let counts = "select count(*) || ' ' || count(distinct canonical_url) from news.articles";
    assert_eq!(fixture.column(counts).await, [format!("{ALL} {ALL}")]);
    assert!(server.requests("aba")[1].get(axum::http::header::IF_NONE_MATCH).is_none(), "it was not read to its end");
    let crawls =
        fixture.column("select new_items || ' ' || coalesce(failure, 'read') from news.crawls order by id").await;
    assert_eq!(crawls.len(), 2);
    assert!(
        crawls.contains(&"100 It was interrupted.".to_owned()) && crawls.contains(&"150 read".to_owned()),
        "{crawls:?}"
    );
    successor.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn a_stopping_process_releases_its_leases() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[item(1, "One", testkit::clock().now())]));
    server.answer_next(0);
    let fixture = Fixture::starting(&server, &["aba"]).await;
    server.wait_for_requests(1).await;
    fixture.harness.stop().await;
    let twin = fixture.twin(|config| config);
    server.answer_all();
    Fixture::start(&twin).await;
    fixture.wait_for_rows("select id::text from news.articles", 1).await;
    twin.tasks.stop(FINISH).await;
}
