//! Refreshes: the cooldown for all callers, deadlines, and failing sources.

use std::time::Duration;

use chrono::TimeDelta;
use crawler::schedule::Crawl as _;
use futures::future::join_all;
use portia_proto::jobs::RefreshJobsRequest;
use primitives::error::ErrorKind;

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{FIRM, FIRM_SOURCE, Fixture, greenhouse, offer},
};

#[tokio::test]
async fn a_refresh_returns_new_postings_once_a_minute() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal"), offer(3, "Law Clerk")]));
    assert_eq!(fixture.refresh().await, 2);
    server.serve(FIRM, greenhouse(&[offer(4, "Legal Intern")]));
    fixture.harness.clock.advance(TimeDelta::seconds(59));
    assert_eq!(fixture.refresh_now().await, 0);
    assert_eq!(server.requests().len(), 2);
    fixture.harness.clock.advance(TimeDelta::seconds(1));
    assert_eq!(fixture.refresh_now().await, 1);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_thousand_concurrent_refreshes_cause_one_crawl() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    let before = server.requests().len();
    fixture.harness.clock.advance(TimeDelta::hours(1));
    let answers = join_all((0..1_000).map(|_| fixture.try_refresh())).await;
    // A process has at most 64 concurrent calls to another; further ones are refused.
    let refused = answers.iter().filter_map(|answer| answer.as_ref().err());
    assert!(refused.clone().all(|refused| refused.kind == ErrorKind::Unavailable), "{:?}", refused.collect::<Vec<_>>());
    let results: Vec<i32> = answers.into_iter().filter_map(Result::ok).collect();
    assert!(results.iter().filter(|new| **new > 0).count() <= 1, "one caller gets the number: {results:?}");
    fixture.wait_until("select count(*) = 2 from jobs.crawls where ended_at is not null").await;
    assert_eq!(fixture.count("select count(*) from jobs.postings").await, 2);
    assert_eq!(server.requests().len(), before + 1);
    assert_eq!(fixture.count("select count(*) from jobs.crawls").await, 2);
}

#[tokio::test]
async fn a_refresh_answers_before_its_deadline() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    server.hold();
    fixture.harness.clock.advance(TimeDelta::hours(1));
    let mut request = fixture.harness.actors.service("gateway").request(RefreshJobsRequest {}).unwrap();
    request.set_timeout(Duration::from_millis(1_000));
    let answer = fixture.jobs.clone().refresh_jobs(request).await.expect("an answer before the deadline");
    assert_eq!(answer.into_inner().new_jobs, 0);
    // The crawl continues without the caller.
    server.release();
    fixture.wait_until("select count(*) = 1 from jobs.postings").await;
}

#[tokio::test]
async fn a_cancelled_refresh_leaves_consistent_rows() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    server.hold();
    fixture.harness.clock.advance(TimeDelta::hours(1));
    let asked = server.requests().len();
    tokio::select! {
        _ = fixture.refresh_now() => panic!("it waits"),
        () = server.wait_for_requests(asked + 1) => {}
    }
    server.release();
    fixture.wait_until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(fixture.refresh_now().await, 0, "its minute counts all the same");
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_refresh_respects_retry_after_and_retries_other_failures() {
    let server = BoardServer::start().await;
    server.serve(FIRM, Page { retry_after: Some(7_200), ..Page::failing(429) });
    server.serve("/v0/postings/firm", Page::failing(500));
    let fixture = Fixture::crawling(&server, "greenhouse:firm=Firm,lever:firm=Other").await;
    fixture.refresh().await;
    let asked = server.requests();
    let times = |path: &str| asked.iter().filter(|asked| asked.starts_with(path)).count();
    assert_eq!((times(FIRM), times("/v0/postings/firm")), (1, 2));
    fixture.harness.clock.advance(TimeDelta::hours(2));
    fixture.refresh().await;
    let asked = server.requests();
    assert_eq!(asked.iter().filter(|asked| asked.starts_with(FIRM)).count(), 2, "after two hours");
}

#[tokio::test]
async fn a_silent_source_delays_no_other() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, "greenhouse:firm=Firm,demo").await;
    server.hold();
    fixture.harness.clock.advance(TimeDelta::hours(12));
    fixture.wait_until("select leased_by is not null from jobs.sources where connector = 'greenhouse'").await;
    fixture
        .wait_until(
            "select last_run_at > started_at - interval '1 second' and s.leased_by is null
        from jobs.sources s join jobs.crawls c on c.source_id = s.id
        where s.connector = 'demo' order by c.started_at desc limit 1",
        )
        .await;
    server.release();
}

#[tokio::test]
async fn without_sources_a_refresh_returns_zero() {
    let fixture = Fixture::with(|builder| builder.with("jobs_sources", "none")).await;
    assert_eq!(fixture.refresh().await, 0);
}

#[tokio::test]
async fn two_replicas_refresh_once() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    let twin = crate::races::crawler(&fixture.harness);
    fixture.harness.clock.advance(TimeDelta::hours(1));
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let before = server.requests().len();
    let (new, claimed) = tokio::join!(fixture.refresh_now(), async {
        match twin.schedule.claim().await.unwrap() {
            Some(leased) => {
                twin.crawl(&leased).await.unwrap();
                1
            }
            None => 0,
        }
    });
    assert!(new == 1 || claimed == 1);
    fixture.wait_until("select count(*) = 1 from jobs.postings").await;
    assert_eq!(server.requests().len(), before + 1);
}
