//! Deadlines and publications without a time of day are dates, from the source to the member.

use chrono::{DateTime, TimeDelta, Utc};
use portia_proto::jobs::{
    ApplicationDue, ApplyRequest, Job, ListJobsRequest, ListMyApplicationsRequest, SentToEmployer,
};
use prost::Message;
use serde_json::{Value, json};
use testkit::member;

use crate::{
    board_server::BoardServer,
    fixtures::{FIRM, FIRM_SOURCE, Fixture, changes, greenhouse, offer},
};

fn time(raw: &str) -> DateTime<Utc> {
    raw.parse().unwrap()
}

/// The deadline of a posting: its date, and when applications end.
fn deadline(job: &Job) -> (Option<&str>, Option<DateTime<Utc>>) {
    let at = job.application_deadline.and_then(|at| DateTime::from_timestamp(at.seconds, 0));
    (job.application_deadline_date.as_deref(), at)
}

fn posted(job: &Job) -> (Option<&str>, Option<DateTime<Utc>>) {
    (job.posted_date.as_deref(), job.posted_at.and_then(|at| DateTime::from_timestamp(at.seconds, 0)))
}

/// A fixture with a board of postings with these dates: publication and deadline.
async fn board(dates: &[(&str, &str)]) -> Fixture {
    let dated = |(n, (published, deadline)): (usize, &(&str, &str))| {
        let mut offer = offer(u32::try_from(n).unwrap(), &format!("Attorney {n}"));
        offer["first_published"] = json!(published);
        offer["application_deadline"] = json!(deadline);
        offer
    };
    let offers: Vec<Value> = dates.iter().enumerate().map(dated).collect();
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&offers));
    Fixture::crawling(&server, FIRM_SOURCE).await
}

/// The open postings by their titles.
async fn jobs(fixture: &Fixture) -> Vec<Job> {
    let mut jobs = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    jobs.sort_by(|one, other| one.title.cmp(&other.title));
    jobs
}

#[tokio::test]
async fn a_value_without_a_zone_is_a_date_and_one_with_a_zone_is_a_time() {
    let fixture = board(&[
        ("2026-02-26", "2026-12-01"),
        ("2026-02-26T00:00:00", "2026-12-01T23:59:59"),
        ("2026-02-26T00:00:00Z", "2026-12-01T23:59:59Z"),
        ("2026-02-26T21:30:00-05:00", "2026-12-01T23:59:59-08:00"),
        // Today in the east only.
        ("2026-03-02", "2026-03-02"),
        ("soon", "later"),
    ])
    .await;
    let jobs = jobs(&fixture).await;
    let end = Some(time("2026-12-02T00:00:00-12:00"));
    assert_eq!(
        jobs.iter().map(deadline).collect::<Vec<_>>(),
        [
            (Some("2026-12-01"), end),
            (Some("2026-12-01"), end),
            (None, Some(time("2026-12-01T23:59:59Z"))),
            (None, Some(time("2026-12-02T07:59:59Z"))),
            (Some("2026-03-02"), Some(time("2026-03-03T12:00:00Z"))),
            (None, None),
        ]
    );
    let midnight = Some(time("2026-02-26T00:00:00Z"));
    assert_eq!(
        jobs.iter().map(posted).collect::<Vec<_>>(),
        [
            (Some("2026-02-26"), midnight),
            (Some("2026-02-26"), midnight),
            (None, midnight),
            (None, Some(time("2026-02-27T02:30:00Z"))),
            (Some("2026-03-02"), Some(time("2026-03-02T00:00:00Z"))),
            (None, Some(fixture.harness.clock.now())),
        ]
    );
    // Lists, the posting itself, and the application that stores it.
    let request = ApplyRequest { job_id: jobs[0].id.clone(), ..Default::default() };
    let applied = fixture.apply(member(1), request).await.unwrap().job.unwrap();
    let listed = fixture.list_applications(member(1), ListMyApplicationsRequest::default()).await.unwrap();
    let listed = listed.applications[0].job.clone().unwrap();
    for job in [fixture.get_job(None, &jobs[0].id).await.unwrap(), applied, listed] {
        assert_eq!((deadline(&job), posted(&job)), ((Some("2026-12-01"), end), (Some("2026-02-26"), midnight)));
    }
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_publication_date_that_has_begun_in_the_east_is_not_in_the_future() {
    let server = BoardServer::start().await;
    let board = |n: u32| {
        let mut offer = offer(n, &format!("Attorney {n}"));
        offer["first_published"] = json!("2026-03-03");
        greenhouse(&[offer])
    };
    // At 09:00 UTC on 2 March it is 23:00 in UTC+14.
    server.serve(FIRM, board(1));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    let first = fixture.harness.clock.now();
    fixture.harness.clock.advance(TimeDelta::hours(1));
    server.serve(FIRM, board(2));
    fixture.refresh().await;
    let second = fixture.harness.clock.now();
    assert_eq!(
        jobs(&fixture).await.iter().map(posted).collect::<Vec<_>>(),
        [(None, Some(first)), (Some("2026-03-03"), Some(second)),]
    );
}

#[tokio::test]
async fn a_posting_is_open_until_its_date_has_ended_everywhere() {
    // The fixed time is 09:00 UTC on 2 March: 21:00 on 1 March in UTC-12.
    let fixture = board(&[("2026-02-26", "2026-03-01"), ("2026-02-26", "2026-02-28")]).await;
    assert_eq!(fixture.open_titles().await, ["Attorney 0"], "the other has ended everywhere");
    let job = jobs(&fixture).await.remove(0);
    let (pool, clock, changes) = (fixture.harness.pool(), &fixture.harness.clock, changes(&fixture.harness));
    clock.advance(TimeDelta::hours(3) - TimeDelta::seconds(1));
    assert_eq!(jobs::expiry::close_expired(pool, &changes).await.unwrap(), 0);
    let request = ApplyRequest { job_id: job.id.clone(), ..Default::default() };
    fixture.apply(member(1), request.clone()).await.unwrap();
    clock.advance(TimeDelta::seconds(1));
    assert!(fixture.open_titles().await.is_empty());
    assert_eq!(fixture.apply(member(2), request).await.unwrap_err().reason, "JOB_CLOSED");
    assert_eq!(jobs::expiry::close_expired(pool, &changes).await.unwrap(), 1);
    let closed = fixture.get_job(None, &job.id).await.unwrap();
    assert_eq!(closed.application_deadline_date.as_deref(), Some("2026-03-01"));
}

#[tokio::test]
async fn a_reminder_of_a_date_comes_before_the_date_begins_and_names_it() {
    let fixture = board(&[("2026-02-26", "2026-03-10")]).await;
    let job = jobs(&fixture).await.remove(0);
    let request =
        ApplyRequest { job_id: job.id.clone(), sent_to_employer: SentToEmployer::NotYet.into(), ..Default::default() };
    fixture.apply(member(1), request).await.unwrap();
    let (pool, clock, changes) = (fixture.harness.pool(), &fixture.harness.clock, changes(&fixture.harness));
    let mut reminded = Vec::new();
    while clock.now() < time("2026-03-12T00:00:00Z") {
        clock.advance(TimeDelta::hours(1));
        if jobs::reminders::remind(pool, &changes).await.unwrap() > 0 {
            reminded.push(clock.now());
        }
    }
    assert_eq!(reminded, [time("2026-03-07T00:00:00Z"), time("2026-03-09T00:00:00Z")]);
    let facts: Vec<Vec<u8>> = sqlx::query_scalar("select payload from jobs.outbox where kind like '%ApplicationDue'")
        .fetch_all(pool)
        .await
        .unwrap();
    for fact in facts {
        let fact = ApplicationDue::decode(&fact[..]).unwrap();
        assert_eq!(fact.deadline_date.as_deref(), Some("2026-03-10"));
        assert_eq!(fact.deadline.unwrap().seconds, time("2026-03-11T12:00:00Z").timestamp());
    }
}
