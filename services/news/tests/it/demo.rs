//! The demo's stories: there while nothing real is, gone with the first real one, back after the last.

use chrono::TimeDelta;

use crate::{
    newsroom::{Newsroom, of_source, page},
    press::{Press, feed, story},
};

const ANY: &str = "select id::text from news.articles where source_id = 'demo'";

async fn lists_the_demo(newsroom: &Newsroom) -> bool {
    newsroom.sources().await.contains(&("demo".to_owned(), "Portia demo".to_owned()))
}

#[tokio::test]
async fn where_nobody_outside_is_asked_there_is_the_demo_marked_as_that() {
    // As every test's, but with what is read by default.
    let newsroom = Newsroom::with(&[]).await;
    newsroom.settled().await;
    let first = newsroom.list(page(1)).await.unwrap();
    assert_eq!((first.articles.len(), first.has_more), (12, true));
    assert!(first.articles.iter().all(|article| article.is_demo && article.source_name == "Portia demo"));
    assert!(first.articles.iter().all(|article| article.copies.len() == 1 && article.published_at.is_some()));
    assert!(lists_the_demo(&newsroom).await);
    assert_eq!(newsroom.source("demo").await.failure, None);
    assert_eq!(newsroom.column("select id from news.sources where is_on").await, ["demo"]);
    assert_eq!(newsroom.column("select id from news.sources where last_run_at is not null").await, ["demo"]);
}

#[tokio::test]
async fn it_moves_with_the_days_under_the_same_addresses() {
    let newsroom = Newsroom::with(&[("news_feeds", "demo")]).await;
    newsroom.settled().await;
    let before = newsroom.list(page(1)).await.unwrap().articles;
    newsroom.harness.stop().await;
    newsroom.harness.clock.advance(TimeDelta::days(3));
    let twin = newsroom.twin(|config| config);
    Newsroom::start(&twin).await;
    newsroom.settled().await;
    twin.tasks.stop(std::time::Duration::from_secs(5)).await;
    let rows = newsroom.column("select id || ' ' || published_at from news.articles order by published_at desc").await;
    assert!(rows[0].starts_with(&before[0].id) && rows[0].contains("2026-03-04"), "{}", rows[0]);
}

#[tokio::test]
async fn it_goes_with_the_first_real_story_and_comes_back_after_the_last() {
    let press = Press::start().await;
    press.print("aba", feed(&[]));
    let newsroom = Newsroom::reading(&press, &["demo", "aba"]).await;
    assert!(newsroom.list(page(1)).await.unwrap().articles[0].is_demo);
    let shown = newsroom.column(ANY).await.len();

    press.print("aba", feed(&[story(1, "Real", newsroom.now())]));
    assert_eq!(newsroom.refresh().await, 1, "and the demo's are no news");
    assert_eq!(newsroom.titles(page(1)).await, ["Real"]);
    assert_eq!(newsroom.titles(of_source("demo")).await, Vec::<String>::new());
    assert!(!lists_the_demo(&newsroom).await);

    // Its own turn changes nothing while there is a real one.
    let turn = "update news.sources set due_at = '2026-01-01' where id = 'demo'";
    newsroom.run(turn).await;
    newsroom.refresh().await;
    newsroom.settled().await;
    assert_eq!(newsroom.titles(page(1)).await, ["Real"]);

    press.print("aba", feed(&[]));
    newsroom.run("delete from news.articles").await;
    newsroom.run(turn).await;
    newsroom.refresh().await;
    newsroom.until(ANY, shown).await;
    assert!(lists_the_demo(&newsroom).await);
}

#[tokio::test]
async fn the_first_real_story_and_the_demo_at_once_leave_the_real_one() {
    for _ in 0..5 {
        let press = Press::start().await;
        press.print("aba", feed(&[story(1, "Real", testkit::clock().now())]));
        let newsroom = Newsroom::reading(&press, &["demo", "aba"]).await;
        assert_eq!(newsroom.titles(page(1)).await, ["Real"]);
    }
}

#[tokio::test]
async fn turned_off_it_is_gone() {
    let newsroom = Newsroom::with(&[("news_feeds", "demo")]).await;
    newsroom.settled().await;
    newsroom.harness.stop().await;
    let twin = newsroom.twin(|config| config.with("news_feeds", "none"));
    Newsroom::start(&twin).await;
    twin.tasks.stop(std::time::Duration::from_secs(5)).await;
    assert_eq!(newsroom.column(ANY).await, Vec::<String>::new());
    assert_eq!(newsroom.column("select id from news.sources").await.len(), 4);
}
