//! Failing sources: growing delays, isolation from other sources, and no loss of stored articles.

use axum::http::header;
use chrono::TimeDelta;

use crate::{
    feed_server::{FeedServer, feed, item, refusal},
    fixtures::{Fixture, page},
};

#[tokio::test]
async fn a_failing_source_is_crawled_with_growing_delays_and_affects_no_other() {
    let server = FeedServer::start().await;
    server.serve("law_com", feed(&[item(1, "One", testkit::clock().now())]));
    server.serve("aba", refusal(500));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    assert_eq!(fixture.titles(page(1)).await, ["One"]);
    let mut rests = Vec::new();
    for failures in 1..=3 {
        let aba = fixture.get_source_status("aba").await;
        assert_eq!((aba.failures, aba.failure.as_deref()), (failures, Some("The server answered 500.")));
        assert_eq!((aba.last_run_at, aba.last_success_at), (Some(fixture.now()), None));
        rests.push((aba.due_at.unwrap() - fixture.now()).num_minutes());
        fixture.refresh().await;
    }
    assert_eq!(rests, [2, 4, 8]);
    assert_eq!(fixture.get_source_status("law_com").await.failures, 0);

    server.serve("aba", feed(&[item(2, "Two", fixture.now())]));
    assert_eq!(fixture.refresh().await, 1);
    let aba = fixture.get_source_status("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.last_success_at), (0, None, Some(fixture.now())));
}

#[tokio::test]
async fn a_silent_source_delays_no_other() {
    let server = FeedServer::start().await;
    for (n, id) in (1..).zip(["aba", "law_com", "above_the_law"]) {
        server.serve(id, feed(&[item(n, &format!("Story of {id}"), testkit::clock().now())]));
    }
    server.answer_next(0);
    let fixture = Fixture::starting(&server, &["aba", "law_com", "above_the_law"]).await;
    server.wait_for_requests(3).await;
    // The first request stays unanswered.
    server.answer_from(2);
    fixture.wait_for_rows("select id::text from news.articles", 2).await;
    server.answer_all();
    fixture.wait_until_idle().await;
    fixture.refresh().await;
    assert_eq!(fixture.titles(page(1)).await.len(), 3);
}

#[tokio::test]
async fn retry_after_is_respected_by_a_refresh() {
    let server = FeedServer::start().await;
    server.serve("aba", refusal(429).with(header::RETRY_AFTER, "3600"));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    fixture.refresh().await;
    assert_eq!((server.requests("aba").len(), server.requests("law_com").len()), (1, 2));
    assert_eq!(fixture.get_source_status("aba").await.failure.as_deref(), Some("The server asked for a rest."));
    fixture.harness.clock.advance(TimeDelta::hours(1));
    fixture.refresh().await;
    assert_eq!(server.requests("aba").len(), 2);
}

#[tokio::test]
async fn an_invalid_feed_is_a_failure_and_the_articles_stay() {
    let server = FeedServer::start().await;
    let at = testkit::clock().now();
    server.serve("aba", feed(&[item(1, "One", at)]));
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    let whole = feed(&[item(2, "Two", at)]);
    for (said, why) in [
        ("<!doctype html><html><body>Be right back</body></html>", None),
        ("", Some("It was empty.")),
        ("{\"items\": []}", Some("It is no RSS or Atom feed.")),
        ("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel><title>&a;</title></channel></rss>", None),
        ("\0\0\0", None),
    ] {
        server.serve("aba", whole.clone().saying(said));
        assert_eq!(fixture.refresh().await, 0, "{said}");
        let failure = fixture.get_source_status("aba").await.failure.unwrap_or_else(|| panic!("{said} is a feed"));
        assert!(why.is_none_or(|why| why == failure), "{said}: {failure}");
        assert_eq!(fixture.titles(page(1)).await, ["One"], "{said}");
    }
}

#[tokio::test]
async fn an_error_of_the_database_counts_as_a_failure_of_the_source() {
    let server = FeedServer::start().await;
    let now = testkit::clock().now();
    server.serve("aba", feed(&[]));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    fixture
        .harness
        .database()
        .run_as_owner("alter table news.articles add constraint articles_refusal_check check (title <> 'Number 150')")
        .await;
    let at = |n: u32| now - TimeDelta::hours(i64::from(n));
    let stories: Vec<_> = (1..=150).map(|n| item(n, &format!("Number {n}"), at(n))).collect();
    server.serve("aba", feed(&stories).with(header::ETAG, "\"all\""));
    server.serve("law_com", feed(&[item(200, "Another's", at(200))]));
    assert_eq!(fixture.refresh().await, 101, "what was written before it stays, and others' with it");
    let aba = fixture.get_source_status("aba").await;
    assert_eq!((aba.failures, aba.failure.as_deref()), (1, Some("Its stories could not be written down.")));
    assert_eq!((aba.due_at.unwrap() - fixture.now()).num_minutes(), 2);
    assert_eq!(fixture.get_source_status("law_com").await.failures, 0);

    fixture.harness.database().run_as_owner("alter table news.articles drop constraint articles_refusal_check").await;
    assert_eq!(fixture.refresh().await, 50);
    assert_eq!(server.requests("aba")[2].get(header::IF_NONE_MATCH), None, "the whole of it is asked for again");
    let aba = fixture.get_source_status("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.new_items), (0, None, 50));
}

#[tokio::test]
async fn without_reachable_sources_the_service_starts_and_lists_the_demo() {
    let closed_port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (feeds, admitted) =
        (format!("demo, aba=http://{closed_port}/feed, law_com=http://10.0.0.1/feed"), closed_port.to_string());
    let fixture = Fixture::with(&[("crawl", "on"), ("news_feeds", &feeds), ("crawl_admit", &admitted)]).await;
    fixture.wait_until_idle().await;
    let articles = fixture.list_articles(page(1)).await.unwrap().articles;
    assert!(articles.len() == 12 && articles.iter().all(|article| article.is_demo));
    assert_eq!(fixture.get_source_status("aba").await.failure.as_deref(), Some("The server could not be reached."));
    assert_eq!(fixture.get_source_status("law_com").await.failure.as_deref(), Some("The address is private."));
    assert_eq!(fixture.list_sources().await.len(), 5);
}
