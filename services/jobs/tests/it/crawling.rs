//! When sources are crawled, by whom and how often; and what is remembered of it.

use chrono::{DateTime, TimeDelta};

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, greenhouse, offer},
    site::{Page, Site},
};

#[tokio::test]
async fn a_healthy_source_is_due_after_its_hours_and_a_failing_one_soon_and_ever_later() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    let due = async || {
        let source = board.sources().await.remove(0);
        let due = DateTime::from_timestamp(source.due_at.unwrap().seconds, 0).unwrap();
        (due - board.harness.clock.now()).num_minutes()
    };
    assert!((341..=378).contains(&due().await), "six hours, nearly");
    site.put(FIRM, Page::failing(500));
    let mut rests = Vec::new();
    for _ in 0..4 {
        board.refresh().await;
        rests.push(due().await);
    }
    assert_eq!(rests, [2, 4, 8, 16]);
    site.put(FIRM, greenhouse(&[]));
    board.refresh().await;
    assert!(due().await > 300);
}

#[tokio::test]
async fn it_crawls_by_itself_when_the_hour_comes() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    board.harness.clock.advance(TimeDelta::hours(7));
    board.until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(site.asked().len(), 2);
}

#[tokio::test]
async fn the_newest_hundred_crawls_are_remembered() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    let older = "insert into jobs.crawls (id, source_id, started_at, ended_at, found)
        select gen_random_uuid(), id, to_timestamp(n), to_timestamp(n), n
        from jobs.sources, generate_series(1, 150) n";
    board.harness.database().run(older).await;
    board.refresh().await;
    assert_eq!(board.count("select count(*) from jobs.crawls").await, 100);
    assert_eq!(board.count("select min(found)::bigint from jobs.crawls where started_at < '2000-01-01'").await, 53);
    assert_eq!(board.count("select count(*) from jobs.crawls where ended_at is null").await, 0);
}

#[tokio::test]
async fn a_source_that_outgrows_us_keeps_what_was_read() {
    let site = Site::open().await;
    let huge: String = format!("{{\"jobs\": [{}", "[".repeat(1_000_000));
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, Page::of(huge));
    for _ in 0..3 {
        board.refresh().await;
    }
    let source = board.sources().await.remove(0);
    assert_eq!((source.failure.as_deref(), source.open_items), (Some("The answer could not be read."), 1));
}
