//! The demo's postings: there while nothing real is, and without anybody's network.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, ListJobsRequest};
use testkit::member;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, at, greenhouse, offer},
    site::{Page, Site},
};

async fn shown(board: &Board) -> (usize, usize) {
    let jobs = board.list(ListJobsRequest { page_size: 100, ..Default::default() }).await.unwrap().jobs;
    (jobs.iter().filter(|job| job.is_demo).count(), jobs.iter().filter(|job| !job.is_demo).count())
}

#[tokio::test]
async fn without_a_network_everything_stands_and_the_demo_shows() {
    // A closed port of this machine, for every address there is.
    let mut away = Site::open().await;
    away.address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let board = Board::crawling(&away, "demo,greenhouse:firm=Firm,lever:firm=Firm L").await;
    assert_eq!(shown(&board).await, (12, 0));
    let failures: Vec<_> = board.sources().await.into_iter().map(|source| (source.name, source.failure)).collect();
    let why = || Some("The server could not be reached.".to_owned());
    assert_eq!(failures, [("Demo".to_owned(), None), ("Firm".to_owned(), why()), ("Firm L".to_owned(), why())]);
    assert_eq!(board.refresh().await, 0);
    board.assert_kept().await;
    board.harness.stop().await;
}

#[tokio::test]
async fn turned_off_nobody_is_asked() {
    let site = Site::open().await;
    let board = Board::with(|builder| at(&site, "demo,greenhouse:firm=Firm", builder).with("crawl", "off")).await;
    board.until("select last_run_at is not null from jobs.sources").await;
    assert_eq!(shown(&board).await, (12, 0));
    assert_eq!(board.refresh().await, 0);
    assert_eq!(board.sources().await.len(), 1);
    assert_eq!(site.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn it_is_hidden_with_the_first_real_posting_and_back_when_the_last_is_gone() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, &format!("demo,{FIRM_SOURCE}")).await;
    assert_eq!(shown(&board).await, (12, 0));
    let demo = board.list(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    assert_eq!((demo.source.as_str(), demo.external_url.as_deref()), ("Demo", None));
    board.applies(member(1), ApplyRequest { job_id: demo.id.clone(), ..Default::default() }).await.unwrap();

    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    assert_eq!(board.refresh().await, 1);
    assert_eq!(shown(&board).await, (0, 1));
    assert!(board.job(None, &demo.id).await.unwrap().closed_at.is_some(), "it can still be read");
    assert_eq!(board.count("select count(*) from jobs.outbox where kind like '%AppliedPostingClosed'").await, 1);
    board.assert_kept().await;

    // The demo's own turn comes, and it stays away.
    board.harness.database().run("update jobs.sources set due_at = 'epoch' where connector = 'demo'").await;
    board.refresh().await;
    board.until("select due_at > 'epoch' and leased_by is null from jobs.sources where connector = 'demo'").await;
    assert_eq!(shown(&board).await, (0, 1));

    site.put(FIRM, greenhouse(&[]));
    board.refresh().await;
    assert_eq!(shown(&board).await, (0, 1));
    board.refresh().await;
    board.until("select count(*) = 12 from jobs.postings where closed_at is null").await;
    assert_eq!(shown(&board).await, (12, 0));
    board.assert_kept().await;
}

#[tokio::test]
async fn its_days_move_on_with_the_calendar() {
    let site = Site::open().await;
    let board = Board::crawling(&site, "demo").await;
    let newest = async || board.list(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    let before = newest().await;
    board.harness.clock.advance(TimeDelta::days(100));
    board.until("select count(*) = 0 from jobs.sources where leased_by is not null").await;
    let moved = format!(
        "select bool_and(posted_at > to_timestamp({}))
        from jobs.postings
        where closed_at is null",
        before.posted_at.unwrap().seconds
    );
    board.until(&moved).await;
    let after = newest().await;
    assert_eq!((before.id, after.title.as_str()), (after.id.clone(), before.title.as_str()));
    assert_eq!(after.posted_at.unwrap().seconds - before.posted_at.unwrap().seconds, 100 * 86_400);
    assert_eq!(shown(&board).await, (12, 0));
    board.assert_kept().await;
}

#[tokio::test]
async fn a_source_that_fails_does_not_hide_it() {
    let site = Site::open().await;
    site.put(FIRM, Page::failing(503));
    let board = Board::crawling(&site, &format!("{FIRM_SOURCE},demo")).await;
    assert_eq!(shown(&board).await, (12, 0));
}
