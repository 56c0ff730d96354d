//! The demo: shown while there are no real articles.

use chrono::TimeDelta;

use crate::{
    feed_server::{FeedServer, feed, item},
    fixtures::{Fixture, of_source, page},
};

const ANY: &str = "select id::text from news.articles where source_id = 'demo'";

async fn lists_the_demo(fixture: &Fixture) -> bool {
    fixture.list_sources().await.contains(&("demo".to_owned(), "Portia demo".to_owned()))
}

#[tokio::test]
async fn without_external_sources_the_demo_is_listed_and_marked() {
    // The default sources, without external ones.
    let fixture = Fixture::with(&[]).await;
    fixture.wait_until_idle().await;
    let first = fixture.list_articles(page(1)).await.unwrap();
    assert_eq!((first.articles.len(), first.has_more), (12, true));
    assert!(first.articles.iter().all(|article| article.is_demo && article.source_name == "Portia demo"));
    assert!(first.articles.iter().all(|article| article.copies.len() == 1 && article.published_at.is_some()));
    assert!(lists_the_demo(&fixture).await);
    assert_eq!(fixture.get_source_status("demo").await.failure, None);
    assert_eq!(fixture.column("select id from news.sources where is_on").await, ["demo"]);
    assert_eq!(fixture.column("select id from news.sources where last_run_at is not null").await, ["demo"]);
}

#[tokio::test]
async fn dates_of_the_demo_move_daily_under_the_same_addresses() {
    let fixture = Fixture::with(&[("news_feeds", "demo")]).await;
    fixture.wait_until_idle().await;
    let before = fixture.list_articles(page(1)).await.unwrap().articles;
    fixture.harness.stop().await;
    fixture.harness.clock.advance(TimeDelta::days(3));
    let twin = fixture.twin(|config| config);
    Fixture::start(&twin).await;
    fixture.wait_until_idle().await;
    twin.tasks.stop(std::time::Duration::from_secs(5)).await;
    let rows = fixture.column("select id || ' ' || published_at from news.articles order by published_at desc").await;
    assert!(rows[0].starts_with(&before[0].id) && rows[0].contains("2026-03-04"), "{}", rows[0]);
}

#[tokio::test]
async fn the_demo_is_deleted_with_the_first_real_article_and_returns_after_the_last() {
    let server = FeedServer::start().await;
    server.serve("aba", feed(&[]));
    let fixture = Fixture::crawling(&server, &["demo", "aba"]).await;
    assert!(fixture.list_articles(page(1)).await.unwrap().articles[0].is_demo);
    let shown = fixture.column(ANY).await.len();

    server.serve("aba", feed(&[item(1, "Real", fixture.now())]));
    assert_eq!(fixture.refresh().await, 1, "and the demo's are no news");
    assert_eq!(fixture.titles(page(1)).await, ["Real"]);
    assert_eq!(fixture.titles(of_source("demo")).await, Vec::<String>::new());
    assert!(!lists_the_demo(&fixture).await);

    // A crawl of the demo changes nothing while there is a real article.
    let turn = "update news.sources set due_at = '2026-01-01' where id = 'demo'";
    fixture.run(turn).await;
    fixture.refresh().await;
    fixture.wait_until_idle().await;
    assert_eq!(fixture.titles(page(1)).await, ["Real"]);

    server.serve("aba", feed(&[]));
    fixture.run("delete from news.articles").await;
    fixture.run(turn).await;
    fixture.refresh().await;
    fixture.wait_for_rows(ANY, shown).await;
    assert!(lists_the_demo(&fixture).await);
}

#[tokio::test]
async fn a_concurrent_real_article_wins_over_the_demo() {
    for _ in 0..5 {
        let server = FeedServer::start().await;
        server.serve("aba", feed(&[item(1, "Real", testkit::clock().now())]));
        let fixture = Fixture::crawling(&server, &["demo", "aba"]).await;
        assert_eq!(fixture.titles(page(1)).await, ["Real"]);
    }
}

#[tokio::test]
async fn without_the_demo_in_the_settings_its_articles_are_deleted() {
    let fixture = Fixture::with(&[("news_feeds", "demo")]).await;
    fixture.wait_until_idle().await;
    fixture.harness.stop().await;
    let twin = fixture.twin(|config| config.with("news_feeds", "none"));
    Fixture::start(&twin).await;
    twin.tasks.stop(std::time::Duration::from_secs(5)).await;
    assert_eq!(fixture.column(ANY).await, Vec::<String>::new());
    assert_eq!(fixture.column("select id from news.sources").await.len(), 4);
}
