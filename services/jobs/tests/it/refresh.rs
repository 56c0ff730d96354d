//! Refresh: open to everybody, once a minute, one crawl however many ask.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use portia_proto::jobs::RefreshJobsRequest;
use primitives::error::ErrorKind;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, greenhouse, offer},
    site::{Page, Site},
};

#[tokio::test]
async fn it_tells_how_many_are_new_and_within_the_minute_none() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal"), offer(3, "Law Clerk")]));
    assert_eq!(board.refresh().await, 2);
    site.put(FIRM, greenhouse(&[offer(4, "Legal Intern")]));
    board.harness.clock.advance(TimeDelta::seconds(59));
    assert_eq!(board.refresh_at_once().await, 0);
    assert_eq!(site.asked().len(), 2);
    board.harness.clock.advance(TimeDelta::seconds(1));
    assert_eq!(board.refresh_at_once().await, 1);
    assert_eq!(site.asked().len(), 3);
}

#[tokio::test]
async fn a_thousand_at_once_are_one_crawl() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    let before = site.asked().len();
    board.harness.clock.advance(TimeDelta::hours(1));
    let answers = join_all((0..1_000).map(|_| board.refreshes())).await;
    // A process has 64 calls under way to another, which share a few connections: the others are told to come again.
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    assert!(refused.clone().all(|refused| refused.kind == ErrorKind::Unavailable), "{:?}", refused.collect::<Vec<_>>());
    let told: Vec<i32> = answers.into_iter().filter_map(Result::ok).collect();
    assert!(told.iter().filter(|new| **new > 0).count() <= 1, "one of them is told, the others nothing: {told:?}");
    board.until("select count(*) = 2 from jobs.crawls where ended_at is not null").await;
    assert_eq!(board.count("select count(*) from jobs.postings").await, 2);
    assert_eq!(site.asked().len(), before + 1);
    assert_eq!(board.count("select count(*) from jobs.crawls").await, 2);
}

#[tokio::test]
async fn it_waits_no_longer_than_its_caller() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    site.hold();
    board.harness.clock.advance(TimeDelta::hours(1));
    let mut request = board.harness.actors.service("gateway").request(RefreshJobsRequest {}).unwrap();
    request.set_timeout(Duration::from_millis(1_000));
    let answer = board.jobs.clone().refresh_jobs(request).await.expect("an answer before the deadline");
    assert_eq!(answer.into_inner().new_jobs, 0);
    // What it began goes on without it.
    site.let_go();
    board.until("select count(*) = 1 from jobs.postings").await;
}

#[tokio::test]
async fn one_whose_caller_hangs_up_leaves_nothing_half() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    site.hold();
    board.harness.clock.advance(TimeDelta::hours(1));
    let asked = site.asked().len();
    tokio::select! {
        _ = board.refresh_at_once() => panic!("it waits"),
        () = site.was_asked(asked + 1) => {}
    }
    site.let_go();
    board.until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(board.refresh_at_once().await, 0, "its minute counts all the same");
    board.assert_kept().await;
}

#[tokio::test]
async fn who_asked_for_a_rest_is_given_it_and_who_only_failed_is_asked_again() {
    let site = Site::open().await;
    site.put(FIRM, Page { retry_after: Some(7_200), ..Page::failing(429) });
    site.put("/v0/postings/firm", Page::failing(500));
    let board = Board::crawling(&site, "greenhouse:firm=Firm,lever:firm=Other").await;
    board.refresh().await;
    let asked = site.asked();
    let times = |path: &str| asked.iter().filter(|asked| asked.starts_with(path)).count();
    assert_eq!((times(FIRM), times("/v0/postings/firm")), (1, 2));
    board.harness.clock.advance(TimeDelta::hours(2));
    board.refresh().await;
    let asked = site.asked();
    assert_eq!(asked.iter().filter(|asked| asked.starts_with(FIRM)).count(), 2, "after two hours");
}

#[tokio::test]
async fn one_source_that_hangs_keeps_no_other() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, "greenhouse:firm=Firm,demo").await;
    site.hold();
    board.harness.clock.advance(TimeDelta::hours(12));
    board.until("select leased_by is not null from jobs.sources where connector = 'greenhouse'").await;
    board
        .until(
            "select last_run_at > started_at - interval '1 second' and s.leased_by is null
        from jobs.sources s join jobs.crawls c on c.source_id = s.id
        where s.connector = 'demo' order by c.started_at desc limit 1",
        )
        .await;
    site.let_go();
}

#[tokio::test]
async fn a_board_without_sources_has_nothing_new() {
    let board = Board::with(|builder| builder.with("jobs_sources", "none")).await;
    assert_eq!(board.refresh().await, 0);
}

#[tokio::test]
async fn two_replicas_refresh_once() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    let twin = crate::races::crawler(&board.harness);
    board.harness.clock.advance(TimeDelta::hours(1));
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let before = site.asked().len();
    let (new, claimed) = tokio::join!(board.refresh_at_once(), async {
        match twin.claim().await.unwrap() {
            Some(leased) => {
                twin.crawl(&leased).await;
                1
            }
            None => 0,
        }
    });
    assert!(new == 1 || claimed == 1);
    board.until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(site.asked().len(), before + 1);
}
