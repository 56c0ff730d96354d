//! Several processes, a crowd at the refresh button, and a process that dies.

use std::time::Duration;

use chrono::TimeDelta;
use portia_proto::news::RefreshNewsRequest;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::{runtime, task::JoinSet};

use crate::{
    newsroom::{Newsroom, page},
    press::{Press, feed, story},
};

const FINISH: Duration = Duration::from_secs(5);

#[tokio::test]
async fn two_processes_read_a_source_once() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    for (n, id) in (1..).zip(["aba", "law_com", "above_the_law"]) {
        press.print(id, feed(&[story(n, &format!("Story of {id}"), now)]));
    }
    press.answer_only(0);
    let newsroom = Newsroom::beginning(&press, &["aba", "law_com", "above_the_law"]).await;
    let twin = newsroom.twin(|config| config);
    let other = Newsroom::start(&twin).await;
    press.is_asked(3).await;
    press.answer_all();
    newsroom.settled().await;
    for id in ["aba", "law_com", "above_the_law"] {
        assert_eq!(press.asked(id).len(), 1, "{id}");
    }
    assert_eq!(newsroom.titles(page(1)).await.len(), 3);
    newsroom.harness.clock.advance(TimeDelta::seconds(61));
    let (one, two) = tokio::join!(newsroom.press_refresh(&newsroom.news), newsroom.press_refresh(&other));
    assert_eq!(one + two, 0);
    assert_eq!(press.asked("aba").len(), 2, "whichever process was asked first");
    twin.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn who_lost_the_lease_writes_nothing() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    press.print("aba", feed(&[story(1, "Read by the one who took over", now)]));
    press.answer_only(0);
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    press.is_asked(1).await;
    // The first one waits for an answer longer than anybody believes it alive.
    newsroom.harness.clock.advance(TimeDelta::minutes(3));
    let twin = newsroom.twin(|config| config);
    Newsroom::start(&twin).await;
    press.is_asked(2).await;
    let second = newsroom.column("select leased_by::text from news.sources where id = 'aba'").await;
    press.answer_from(2);
    newsroom.until("select id::text from news.articles", 1).await;
    newsroom.settled().await;
    // Now the first one has its answer, and another one.
    press.print("aba", feed(&[story(2, "Read by the one who was given up", now)]));
    press.answer_all();
    // It comes back once it has tried: only then is there nothing left to stop.
    newsroom.harness.context.tasks.stop(FINISH).await;
    twin.tasks.stop(FINISH).await;
    let titles = newsroom.column("select title from news.articles").await;
    assert_eq!(titles, ["Read by the one who took over"]);
    let crawls = newsroom
        .column("select new_items || ' ' || coalesce(failure, 'read') from news.crawls order by new_items, id")
        .await;
    assert_eq!(crawls, ["0 It was interrupted.", "1 read"]);
    let reader = newsroom.column("select id::text from news.crawls where new_items = 1").await;
    assert_eq!(reader, second, "the one with the lease");
    assert_eq!(newsroom.column("select new_ever::text from news.sources where id = 'aba'").await, ["1"]);
}

#[tokio::test]
async fn a_thousand_who_press_refresh_at_once_have_it_read_once() {
    let press = Press::start().await;
    let now = testkit::clock().now();
    press.print("aba", feed(&[story(1, "One", now)]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    press.print("aba", feed(&[story(1, "One", now), story(2, "Two", now)]));
    newsroom.harness.clock.advance(TimeDelta::seconds(61));
    let mut crowd = JoinSet::new();
    for _ in 0..1_000 {
        let (mut news, visitor) = (newsroom.news.clone(), newsroom.visitor());
        crowd.spawn(async move {
            let request = visitor.request(RefreshNewsRequest {}).unwrap();
            news.refresh_news(request).await.map(|answer| answer.into_inner().new_articles)
        });
    }
    let answers: Vec<i32> = crowd.join_all().await.into_iter().map(Result::unwrap).collect();
    assert_eq!(
        (answers.iter().sum::<i32>(), answers.iter().max()),
        (1, Some(&1)),
        "who waited is told, others are not"
    );
    assert_eq!(press.asked("aba").len(), 2, "once at the start, once for all of them");

    newsroom.harness.clock.advance(TimeDelta::seconds(59));
    assert_eq!(newsroom.press_refresh(&newsroom.news).await, 0);
    assert_eq!(press.asked("aba").len(), 2, "a minute is a minute");
    newsroom.harness.clock.advance(TimeDelta::seconds(2));
    newsroom.press_refresh(&newsroom.news).await;
    assert_eq!(press.asked("aba").len(), 3);
}

#[tokio::test]
async fn the_minute_is_everybodys_and_outlives_the_process() {
    let press = Press::start().await;
    press.print("aba", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba"]).await;
    newsroom.refresh().await;
    newsroom.harness.stop().await;
    let twin = newsroom.twin(|config| config);
    let other = Newsroom::start(&twin).await;
    newsroom.harness.clock.advance(TimeDelta::seconds(30));
    newsroom.press_refresh(&other).await;
    assert_eq!(press.asked("aba").len(), 2);
    newsroom.harness.clock.advance(TimeDelta::seconds(31));
    newsroom.press_refresh(&other).await;
    assert_eq!(press.asked("aba").len(), 3);
    twin.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn who_cannot_wait_is_told_how_far_it_came() {
    let press = Press::start().await;
    press.print("aba", feed(&[]));
    press.print("law_com", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["aba", "law_com"]).await;
    press.print("aba", feed(&[story(1, "One", newsroom.now())]));
    newsroom.harness.clock.advance(TimeDelta::seconds(61));
    // One of the two answers, the other one does not.
    press.answer_only(1);
    let hurried = Duration::from_secs(2);
    let mut told = newsroom.try_refresh_within(&newsroom.news, hurried).await;
    // A machine that is busy enough is late once; the product would be late each time.
    for _ in 0..5 {
        if told.is_none() {
            newsroom.harness.clock.advance(TimeDelta::seconds(61));
            told = newsroom.try_refresh_within(&newsroom.news, hurried).await;
        }
    }
    let new = told.expect("an answer in time");
    assert!(new <= 1, "whichever of them answered");
    press.answer_all();
    newsroom.settled().await;
    newsroom.refresh().await;
    assert_eq!(newsroom.titles(page(1)).await, ["One"], "and nothing is left half");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_dies_in_the_middle_loses_nothing_and_the_next_completes_it() {
    const ALL: u32 = 250;
    let press = Press::start().await;
    let newsroom = Newsroom::with(&[("news_feeds", "none")]).await;
    newsroom.harness.stop().await;
    let now = newsroom.now();
    let stories: Vec<_> =
        (1..=ALL).map(|n| story(n, &format!("Story number {n}"), now - TimeDelta::hours(i64::from(n)))).collect();
    press.print("aba", feed(&stories).with(axum::http::header::ETAG, "\"all\""));

    // Somebody else is about to write an article of the second batch, and does not come to an end: there the crawl waits.
    let mut other = newsroom.harness.database().options().connect().await.unwrap();
    let held = format!(
        "begin;
        insert into news.articles (id, story_id, source_id, url, canonical_url, title, found_at)
        values (
            '{id}', '{id}', 'law_com', 'https://stories.example/150', 'https://stories.example/150', 'Held', '2026-01-01'
        )",
        id = crate::newsroom::article_id(150),
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(held)).execute(&mut other).await.unwrap();

    let (feeds, admitted) = (press.feeds(&["aba"]), press.address.to_string());
    let twin = || {
        newsroom.twin(|config| {
            config.with("crawl", "on").with("news_feeds", feeds.clone()).with("crawl_admit", admitted.clone())
        })
    };
    // All the first one runs is in a runtime of its own, so that it can be killed.
    let life = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (dying, handle) = (twin(), life.handle().clone());
    tokio::task::spawn_blocking(move || handle.block_on(Newsroom::start(&dying))).await.unwrap();
    newsroom.until("select id::text from news.articles", 100).await;
    life.shutdown_background();
    sqlx::raw_sql("rollback").execute(&mut other).await.unwrap();
    other.close().await.unwrap();

    let heir = twin();
    let news = Newsroom::start(&heir).await;
    let told = newsroom.try_refresh_within(&news, Duration::from_secs(2)).await;
    assert_eq!((told.unwrap_or_default(), press.asked("aba").len()), (0, 1), "the dead one's lease is respected");
    newsroom.harness.clock.advance(TimeDelta::minutes(3));
    assert_eq!(newsroom.press_refresh(&news).await, 150);
    let told = "select count(*) || ' ' || count(distinct canonical_url) from news.articles";
    assert_eq!(newsroom.column(told).await, [format!("{ALL} {ALL}")]);
    assert!(press.asked("aba")[1].get(axum::http::header::IF_NONE_MATCH).is_none(), "it was not read to its end");
    let crawls =
        newsroom.column("select new_items || ' ' || coalesce(failure, 'read') from news.crawls order by id").await;
    assert_eq!(crawls.len(), 2);
    assert!(
        crawls.contains(&"100 It was interrupted.".to_owned()) && crawls.contains(&"150 read".to_owned()),
        "{crawls:?}"
    );
    heir.tasks.stop(FINISH).await;
}

#[tokio::test]
async fn a_process_that_stops_gives_back_what_it_was_reading() {
    let press = Press::start().await;
    press.print("aba", feed(&[story(1, "One", testkit::clock().now())]));
    press.answer_only(0);
    let newsroom = Newsroom::beginning(&press, &["aba"]).await;
    press.is_asked(1).await;
    newsroom.harness.stop().await;
    let twin = newsroom.twin(|config| config);
    press.answer_all();
    Newsroom::start(&twin).await;
    newsroom.until("select id::text from news.articles", 1).await;
    twin.tasks.stop(FINISH).await;
}
