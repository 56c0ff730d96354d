//! The schedule of crawls: due times, delays after failures, and the history of crawls.

use chrono::{DateTime, TimeDelta};

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{FIRM, FIRM_SOURCE, Fixture, greenhouse, offer},
};

#[tokio::test]
async fn a_failing_source_is_due_sooner_with_growing_delays() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    let due = async || {
        let source = fixture.list_sources().await.remove(0);
        let due = DateTime::from_timestamp(source.due_at.unwrap().seconds, 0).unwrap();
        (due - fixture.harness.clock.now()).num_minutes()
    };
    assert!((341..=378).contains(&due().await), "six hours, nearly");
    server.serve(FIRM, Page::failing(500));
    let mut rests = Vec::new();
    for _ in 0..4 {
        fixture.refresh().await;
        rests.push(due().await);
    }
    assert_eq!(rests, [2, 4, 8, 16]);
    server.serve(FIRM, greenhouse(&[]));
    fixture.refresh().await;
    assert!(due().await > 300);
}

#[tokio::test]
async fn a_due_source_is_crawled() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    fixture.harness.clock.advance(TimeDelta::hours(7));
    fixture.wait_until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn the_newest_hundred_crawls_are_kept() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    let older = "insert into jobs.crawls (id, source_id, started_at, ended_at, found)
        select gen_random_uuid(), id, to_timestamp(n), to_timestamp(n), n
        from jobs.sources, generate_series(1, 150) n";
    fixture.harness.database().run(older).await;
    fixture.refresh().await;
    assert_eq!(fixture.count("select count(*) from jobs.crawls").await, 100);
    assert_eq!(fixture.count("select min(found)::bigint from jobs.crawls where started_at < '2000-01-01'").await, 53);
    assert_eq!(fixture.count("select count(*) from jobs.crawls where ended_at is null").await, 0);
}

#[tokio::test]
async fn a_source_with_too_many_items_keeps_those_read() {
    let server = BoardServer::start().await;
    let huge: String = format!("{{\"jobs\": [{}", "[".repeat(1_000_000));
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, Page::of(huge));
    for _ in 0..3 {
        fixture.refresh().await;
    }
    let source = fixture.list_sources().await.remove(0);
    assert_eq!((source.failure.as_deref(), source.open_items), (Some("The answer could not be read."), 1));
}
