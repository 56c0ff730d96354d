//! What stays and what goes: sources that are no longer configured or moved, old crawls, old articles.

use std::time::Duration;

use axum::http::header;
use chrono::TimeDelta;

use crate::{
    newsroom::{Newsroom, of_source},
    press::{Press, feed, story},
};

#[tokio::test]
async fn a_source_that_is_no_longer_configured_keeps_its_articles_and_is_asked_no_more() {
    let press = Press::start().await;
    press.print("aba", feed(&[story(1, "One", testkit::clock().now())]));
    press.print("one_more", feed(&[story(2, "Two", testkit::clock().now())]));
    press.print("quiet_one", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "one_more", "quiet_one"]).await;
    let names = |sources: Vec<(String, String)>| sources.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    let all = ["ABA Journal", "Above the Law", "Law.com", "LawSchool.org", "One More", "Quiet One"];
    assert_eq!(names(newsroom.sources().await), all);
    newsroom.harness.stop().await;

    let twin = newsroom.twin(|config| config.with("news_feeds", "none"));
    let news = Newsroom::start(&twin).await;
    newsroom.harness.clock.advance(TimeDelta::days(1));
    assert_eq!(newsroom.press_refresh(&news).await, 0);
    assert_eq!((press.asked("aba").len(), press.asked("one_more").len()), (1, 1));
    let request = newsroom.visitor().request(of_source("one_more")).unwrap();
    assert_eq!(news.clone().list_articles(request).await.unwrap().into_inner().articles.len(), 1);
    let names = newsroom.column("select name from news.sources order by name").await;
    assert_eq!(names, all[..5], "one that told nothing is forgotten, and the specification's four stand");
    assert_eq!(newsroom.column("select id from news.sources where is_on").await, Vec::<String>::new());
    twin.tasks.stop(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_feed_that_moved_is_asked_at_once_and_for_everything() {
    let press = Press::start().await;
    press.print("aba", feed(&[]).with(header::ETAG, "\"v1\""));
    press.print("aba/new", feed(&[story(1, "One", testkit::clock().now())]).with(header::ETAG, "\"v1\""));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    newsroom.harness.stop().await;
    let address = press.address;
    let same = newsroom.twin(|config| config.with("news_every_hours", 24));
    Newsroom::start(&same).await;
    newsroom.settled().await;
    assert_eq!(press.asked("aba").len(), 1, "it keeps its turn where only the rhythm changes");
    same.tasks.stop(Duration::from_secs(5)).await;
    let moved = newsroom.twin(|config| config.with("news_feeds", format!("aba=http://{address}/aba/new")));
    Newsroom::start(&moved).await;
    newsroom.until("select id::text from news.articles", 1).await;
    assert_eq!(press.asked("aba/new")[0].get(header::IF_NONE_MATCH), None);
    moved.tasks.stop(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_hundred_crawls_of_a_source_are_remembered() {
    let press = Press::start().await;
    press.print("aba", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    newsroom
        .run(
            "insert into news.crawls (id, source_id, started_at, ended_at)
            select
                ('01930000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'aba',
                '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'
            from generate_series(1, 200) n",
        )
        .await;
    newsroom.refresh().await;
    let kept = newsroom.column("select started_at::text from news.crawls order by started_at").await;
    assert_eq!(kept.len(), 100);
    assert!(kept[0].starts_with("2026-01-01 01:43"), "the newest: {}", kept[0]);
}

#[tokio::test]
async fn articles_beyond_two_years_and_beyond_twenty_thousand_of_a_source_go() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    let old = |days| now - TimeDelta::days(days);
    press.print(
        "aba",
        feed(&[story(1, "Today", now), story(2, "Two years ago", old(731)), story(3, "Nearly", old(729))]),
    );
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(newsroom.titles(of_source("aba")).await, ["Today", "Nearly"], "what would go does not come");
    newsroom
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
    newsroom.harness.clock.advance(TimeDelta::days(2));
    newsroom.refresh().await;
    assert_eq!(newsroom.titles(of_source("aba")).await, ["Today"]);
    let left =
        "select count(*) || ' ' || max(substr(title, 5)::integer) from news.articles where source_id = 'law_com'";
    assert_eq!(newsroom.column(left).await, ["20000 20000"]);
}
