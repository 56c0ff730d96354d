//! Retention: removed and moved sources, old crawls, old articles.

use std::time::Duration;

use axum::http::header;
use chrono::TimeDelta;

use crate::{
    feed_server::{FeedServer, feed, item},
    fixtures::{Fixture, of_source},
};

#[tokio::test]
async fn a_removed_source_keeps_its_articles_and_is_not_crawled() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[item(1, "One", testkit::clock().now())]));
    server.serve("one_more", feed(&[item(2, "Two", testkit::clock().now())]));
    server.serve("quiet_one", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "one_more", "quiet_one"]).await;
    let names = |sources: Vec<(String, String)>| sources.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    let all = ["ABA Journal", "Above the Law", "Law.com", "LawSchool.org", "One More", "Quiet One"];
    assert_eq!(names(fixture.list_sources().await), all);
    fixture.harness.stop().await;

    let twin = fixture.twin(|config| config.with("news_feeds", "none"));
    let news = Fixture::start(&twin).await;
    fixture.harness.clock.advance(TimeDelta::days(1));
    assert_eq!(fixture.refresh_now(&news).await, 0);
    assert_eq!((server.requests("aba").len(), server.requests("one_more").len()), (1, 1));
    let request = fixture.visitor().request(of_source("one_more")).unwrap();
    assert_eq!(news.clone().list_articles(request).await.unwrap().into_inner().articles.len(), 1);
    let names = fixture.column("select name from news.sources order by name").await;
    assert_eq!(names, all[..5], "one that told nothing is forgotten, and the specification's four stand");
    assert_eq!(fixture.column("select id from news.sources where is_on").await, Vec::<String>::new());
    twin.tasks.stop(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_moved_feed_is_crawled_at_once_without_validators() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[]).with(header::ETAG, "\"v1\""));
    server.serve("aba/new", feed(&[item(1, "One", testkit::clock().now())]).with(header::ETAG, "\"v1\""));
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    fixture.harness.stop().await;
    let address = server.address;
    let same = fixture.twin(|config| config.with("news_every_hours", 24));
    Fixture::start(&same).await;
    fixture.wait_until_idle().await;
    assert_eq!(server.requests("aba").len(), 1, "it keeps its turn where only the rhythm changes");
    same.tasks.stop(Duration::from_secs(5)).await;
    let moved = fixture.twin(|config| config.with("news_feeds", format!("aba=http://{address}/aba/new")));
    Fixture::start(&moved).await;
    fixture.wait_for_rows("select id::text from news.articles", 1).await;
    assert_eq!(server.requests("aba/new")[0].get(header::IF_NONE_MATCH), None);
    moved.tasks.stop(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn the_newest_hundred_crawls_of_a_source_are_kept() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba"]).await;
    fixture
        .run(
            "insert into news.crawls (id, source_id, started_at, ended_at)
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'aba',
                '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'
            from generate_series(1, 200) n",
        )
        .await;
    fixture.refresh().await;
    let kept = fixture.column("select started_at::text from news.crawls order by started_at").await;
    assert_eq!(kept.len(), 100);
    assert!(kept[0].starts_with("2026-01-01 01:43"), "the newest: {}", kept[0]);
}

#[tokio::test]
async fn articles_older_than_two_years_or_beyond_20000_of_a_source_are_deleted() {
    let server = FeedServer::start().await;
    let now = testkit::clock().now();
    let old = |days| now - TimeDelta::days(days);
    server
        .serve("aba", feed(&[item(1, "Today", now), item(2, "Two years ago", old(731)), item(3, "Nearly", old(729))]));
    server.serve("law_com", feed(&[]));
    let fixture = Fixture::crawling(&server, &["aba", "law_com"]).await;
    assert_eq!(fixture.titles(of_source("aba")).await, ["Today", "Nearly"], "what would go does not come");
    fixture
        .run(
            "insert into news.articles (id, story_id, source_id, url, canonical_url, title, published_at, found_at)
            select id, id, 'law_com', 'https://l.example/' || n, 'https://l.example/' || n, 'Row ' || n, at, at
            from (
                select
                    n, ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
                    '2026-01-01'::timestamptz - n * interval '1 minute' as at
                from generate_series(1, 20600) n
            ) numbered",
        )
        .await;
    fixture.harness.clock.advance(TimeDelta::days(2));
    fixture.refresh().await;
    assert_eq!(fixture.titles(of_source("aba")).await, ["Today"]);
    let left =
        "select count(*) || ' ' || max(substr(title, 5)::integer) from news.articles where source_id = 'law_com'";
    assert_eq!(fixture.column(left).await, ["20000 20000"]);
}
