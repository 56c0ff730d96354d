//! The demo: shown while there are no real postings.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, ListJobsRequest};
use testkit::member;

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{FIRM, FIRM_SOURCE, Fixture, at, greenhouse, offer},
};

async fn shown(fixture: &Fixture) -> (usize, usize) {
    let jobs = fixture.list_jobs(ListJobsRequest { page_size: 100, ..Default::default() }).await.unwrap().jobs;
    (jobs.iter().filter(|job| job.is_demo).count(), jobs.iter().filter(|job| !job.is_demo).count())
}

#[tokio::test]
async fn without_a_network_the_demo_is_listed() {
    // Every address leads to a closed port of this machine.
    let mut away = BoardServer::start().await;
    away.address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let fixture = Fixture::crawling(&away, "demo,greenhouse:firm=Firm,lever:firm=Firm L").await;
    assert_eq!(shown(&fixture).await, (15, 0));
    let failures: Vec<_> =
        fixture.list_sources().await.into_iter().map(|source| (source.name, source.failure)).collect();
    let why = || Some("The server could not be reached.".to_owned());
    assert_eq!(failures, [("Demo".to_owned(), None), ("Firm".to_owned(), why()), ("Firm L".to_owned(), why())]);
    assert_eq!(fixture.refresh().await, 0);
    fixture.assert_derived_rows().await;
    fixture.harness.stop().await;
}

#[tokio::test]
async fn without_crawling_no_source_is_read() {
    let server = BoardServer::start().await;
    let fixture = Fixture::with(|builder| at(&server, "demo,greenhouse:firm=Firm", builder).with("crawl", "off")).await;
    fixture.wait_until("select last_run_at is not null from jobs.sources").await;
    assert_eq!(shown(&fixture).await, (15, 0));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.list_sources().await.len(), 1);
    assert_eq!(server.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn the_demo_closes_with_the_first_real_posting_and_returns_after_the_last() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, &format!("demo,{FIRM_SOURCE}")).await;
    assert_eq!(shown(&fixture).await, (15, 0));
    let demo = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    assert_eq!((demo.source.as_str(), demo.external_url.as_deref()), ("Demo", None));
    fixture.apply(member(1), ApplyRequest { job_id: demo.id.clone(), ..Default::default() }).await.unwrap();

    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    assert_eq!(fixture.refresh().await, 1);
    assert_eq!(shown(&fixture).await, (0, 1));
    assert!(fixture.get_job(None, &demo.id).await.unwrap().closed_at.is_some(), "it can still be read");
    assert_eq!(fixture.count("select count(*) from jobs.outbox where kind like '%AppliedPostingClosed'").await, 1);
    fixture.assert_derived_rows().await;

    // The demo is due, and stays closed.
    fixture.harness.database().run("update jobs.sources set due_at = 'epoch' where connector = 'demo'").await;
    fixture.refresh().await;
    fixture
        .wait_until("select due_at > 'epoch' and leased_by is null from jobs.sources where connector = 'demo'")
        .await;
    assert_eq!(shown(&fixture).await, (0, 1));

    server.serve(FIRM, greenhouse(&[]));
    fixture.refresh().await;
    assert_eq!(shown(&fixture).await, (0, 1));
    fixture.refresh().await;
    fixture.wait_until("select count(*) = 15 from jobs.postings where closed_at is null").await;
    assert_eq!(shown(&fixture).await, (15, 0));
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn dates_of_the_demo_move_daily() {
    let server = BoardServer::start().await;
    let fixture = Fixture::crawling(&server, "demo").await;
    let newest = async || fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    let before = newest().await;
    fixture.harness.clock.advance(TimeDelta::days(100));
    fixture.wait_until("select count(*) = 0 from jobs.sources where leased_by is not null").await;
    let moved = format!(
        "select bool_and(posted_at > to_timestamp({}))
        from jobs.postings
        where closed_at is null",
        before.posted_at.unwrap().seconds
    );
    fixture.wait_until(&moved).await;
    let after = newest().await;
    assert_eq!((before.id, after.title.as_str()), (after.id.clone(), before.title.as_str()));
    assert_eq!(after.posted_at.unwrap().seconds - before.posted_at.unwrap().seconds, 100 * 86_400);
    assert_eq!(shown(&fixture).await, (15, 0));
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_failing_source_does_not_close_the_demo() {
    let server = BoardServer::start().await;
    server.serve(FIRM, Page::failing(503));
    let fixture = Fixture::crawling(&server, &format!("{FIRM_SOURCE},demo")).await;
    assert_eq!(shown(&fixture).await, (15, 0));
}
