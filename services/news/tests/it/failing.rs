//! Feeds that fail: each by itself, left alone ever longer, and nothing that was good is lost.

use axum::http::header;
use chrono::TimeDelta;

use crate::{
    newsroom::{Newsroom, page},
    press::{Press, feed, refusal, story},
};

#[tokio::test]
async fn a_source_that_fails_is_left_alone_ever_longer_and_touches_no_other() {
    let press = Press::start().await;
    press.print("law_com", feed(&[story(1, "One", testkit::clock().now())]));
    press.print("aba", refusal(500));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    assert_eq!(newsroom.titles(page(1)).await, ["One"]);
    let mut rests = Vec::new();
    for failures in 1..=3 {
        let aba = newsroom.source("aba").await;
        assert_eq!((aba.failures, aba.failure.as_deref()), (failures, Some("The server answered 500.")));
        assert_eq!((aba.last_run_at, aba.last_success_at), (Some(newsroom.now()), None));
        rests.push((aba.due_at.unwrap() - newsroom.now()).num_minutes());
        newsroom.refresh().await;
    }
    assert_eq!(rests, [2, 4, 8]);
    assert_eq!(newsroom.source("law_com").await.failures, 0);

    press.print("aba", feed(&[story(2, "Two", newsroom.now())]));
    assert_eq!(newsroom.refresh().await, 1);
    let aba = newsroom.source("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.last_success_at), (0, None, Some(newsroom.now())));
}

#[tokio::test]
async fn a_source_that_does_not_answer_holds_up_no_other() {
    let press = Press::start().await;
    for (n, id) in (1..).zip(["aba", "law_com", "above_the_law"]) {
        press.print(id, feed(&[story(n, &format!("Story of {id}"), testkit::clock().now())]));
    }
    press.answer_only(0);
    let newsroom = Newsroom::beginning(&press, &["aba", "law_com", "above_the_law"]).await;
    press.is_asked(3).await;
    // Whichever was asked first stays silent.
    press.answer_from(2);
    newsroom.until("select id::text from news.articles", 2).await;
    press.answer_all();
    newsroom.settled().await;
    newsroom.refresh().await;
    assert_eq!(newsroom.titles(page(1)).await.len(), 3);
}

#[tokio::test]
async fn who_asks_to_be_left_alone_is_whoever_refreshes() {
    let press = Press::start().await;
    press.print("aba", refusal(429).with(header::RETRY_AFTER, "3600"));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    newsroom.refresh().await;
    assert_eq!((press.asked("aba").len(), press.asked("law_com").len()), (1, 2));
    assert_eq!(newsroom.source("aba").await.failure.as_deref(), Some("The server asked for a rest."));
    newsroom.harness.clock.advance(TimeDelta::hours(1));
    newsroom.refresh().await;
    assert_eq!(press.asked("aba").len(), 2);
}

#[tokio::test]
async fn what_is_no_feed_is_a_failure_and_the_last_good_stories_stay() {
    let press = Press::start().await;
    let at = testkit::clock().now();
    press.print("aba", feed(&[story(1, "One", at)]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    let whole = feed(&[story(2, "Two", at)]);
    for (said, why) in [
        ("<!doctype html><html><body>Be right back</body></html>", None),
        ("", Some("It was empty.")),
        ("{\"items\": []}", Some("It is no RSS or Atom feed.")),
        ("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel><title>&a;</title></channel></rss>", None),
        ("\0\0\0", None),
    ] {
        press.print("aba", whole.clone().saying(said));
        assert_eq!(newsroom.refresh().await, 0, "{said}");
        let failure = newsroom.source("aba").await.failure.unwrap_or_else(|| panic!("{said} is a feed"));
        assert!(why.is_none_or(|why| why == failure), "{said}: {failure}");
        assert_eq!(newsroom.titles(page(1)).await, ["One"], "{said}");
    }
}

#[tokio::test]
async fn what_the_database_refuses_is_a_failure_like_any_other() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    press.print("aba", feed(&[]));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    newsroom.run("alter table news.articles add constraint articles_refusal_check check (title <> 'Number 150')").await;
    let at = |n: u32| now - TimeDelta::hours(i64::from(n));
    let stories: Vec<_> = (1..=150).map(|n| story(n, &format!("Number {n}"), at(n))).collect();
    press.print("aba", feed(&stories).with(header::ETAG, "\"all\""));
    press.print("law_com", feed(&[story(200, "Another's", at(200))]));
    assert_eq!(newsroom.refresh().await, 101, "what was written before it stays, and others' with it");
    let aba = newsroom.source("aba").await;
    assert_eq!((aba.failures, aba.failure.as_deref()), (1, Some("Its stories could not be written down.")));
    assert_eq!((aba.due_at.unwrap() - newsroom.now()).num_minutes(), 2);
    assert_eq!(newsroom.source("law_com").await.failures, 0);

    newsroom.run("alter table news.articles drop constraint articles_refusal_check").await;
    assert_eq!(newsroom.refresh().await, 50);
    assert_eq!(press.asked("aba")[2].get(header::IF_NONE_MATCH), None, "the whole of it is asked for again");
    let aba = newsroom.source("aba").await;
    assert_eq!((aba.failures, aba.failure, aba.new_items), (0, None, 50));
}

#[tokio::test]
async fn where_nobody_can_be_reached_it_starts_all_the_same_and_shows_the_demo() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (feeds, admitted) =
        (format!("demo, aba=http://{nobody}/feed, law_com=http://10.0.0.1/feed"), nobody.to_string());
    let newsroom = Newsroom::with(&[("crawl", "on"), ("news_feeds", &feeds), ("crawl_admit", &admitted)]).await;
    newsroom.settled().await;
    let articles = newsroom.list(page(1)).await.unwrap().articles;
    assert!(articles.len() == 12 && articles.iter().all(|article| article.is_demo));
    assert_eq!(newsroom.source("aba").await.failure.as_deref(), Some("The server could not be reached."));
    assert_eq!(newsroom.source("law_com").await.failure.as_deref(), Some("The address is private."));
    assert_eq!(newsroom.sources().await.len(), 5);
}
