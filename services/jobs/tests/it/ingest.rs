//! Storing postings: new, changed, moved, repeated and missing ones, and invalid items.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, GetStatsRequest, ListJobsRequest, SourceState};
use serde_json::{Value, json};
use testkit::member;

use crate::{
    board_server::{BoardServer, Page},
    fixtures::{FIRM, FIRM_SOURCE, Fixture, changes, greenhouse, offer},
};

/// A fixture with the board of one employer, crawled once.
async fn firm(offers: &[Value]) -> (BoardServer, Fixture) {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(offers));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    (server, fixture)
}

fn with(mut offer: Value, field: &str, value: Value) -> Value {
    offer[field] = value;
    offer
}

#[tokio::test]
async fn new_postings_are_added_and_changed_ones_updated() {
    let (server, fixture) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    assert_eq!(fixture.open_titles().await, ["Attorney", "Paralegal"]);
    let before = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(fixture.refresh().await, 0, "the same again is nothing new");

    let moved_on = with(offer(1, "Senior Attorney"), "location", json!({ "name": "Remote" }));
    server.serve(FIRM, greenhouse(&[moved_on, offer(2, "Paralegal"), offer(3, "Law Clerk")]));
    assert_eq!(fixture.refresh().await, 1);
    assert_eq!(fixture.open_titles().await, ["Law Clerk", "Paralegal", "Senior Attorney"]);
    let after = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    let one = |jobs: &[portia_proto::jobs::Job], url: &str| {
        jobs.iter().find(|job| job.external_url.as_deref().is_some_and(|link| link.ends_with(url))).unwrap().clone()
    };
    let (was, is) = (one(&before, "/1"), one(&after, "/1"));
    assert_eq!((was.id, was.posted_at), (is.id, is.posted_at), "it is the same posting, where its readers saw it");
    assert_eq!((is.location.as_deref(), is.experience_level), (Some("Remote"), 3));
    assert_eq!(one(&before, "/2"), one(&after, "/2"));
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_moved_posting_keeps_its_id() {
    let (server, fixture) = firm(&[offer(1, "Attorney")]).await;
    let before = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    server.serve(FIRM, greenhouse(&[with(offer(7, "attorney"), "content", json!("Rewritten."))]));
    assert_eq!(fixture.refresh().await, 0);
    let after = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].id, before.id);
    assert!(after[0].external_url.as_deref().unwrap().ends_with("/7"));
    assert_eq!(after[0].description, "Rewritten.");
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn equal_postings_at_two_addresses_are_two_positions() {
    let offers = [offer(1, "Attorney"), offer(2, "ATTORNEY"), offer(1, "Attorney")];
    let (server, fixture) = firm(&offers).await;
    let mut first = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    first.sort_by_key(|job| job.id.clone());
    assert_eq!(first.len(), 2);
    for order in [[1, 0, 2], [0, 2, 1], [2, 1, 0]] {
        let order: Vec<Value> = order.iter().map(|at: &usize| offers[*at].clone()).collect();
        server.serve(FIRM, greenhouse(&order));
        assert_eq!(fixture.refresh().await, 0);
        let mut again = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
        again.sort_by_key(|job| job.id.clone());
        assert_eq!(again, first);
    }
    // One of them disappears, the other stays.
    server.serve(FIRM, greenhouse(&offers[1..2]));
    fixture.refresh().await;
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await, ["ATTORNEY"]);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_posting_late_in_the_crawl_keeps_its_address() {
    let offers: Vec<Value> = (1..=250).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (server, fixture) = firm(&offers).await;
    let address = "select count(*) from jobs.postings where title = 'Attorney 250' and url like '%/jobs/250'";
    let id = "select id::text from jobs.postings where url like '%/jobs/250'";
    let id = async || sqlx::query_scalar::<_, String>(id).fetch_one(fixture.harness.pool()).await.unwrap();
    let before = id().await;
    // A new posting with the same title comes two batches before it.
    let twin = [vec![offer(900, "Attorney 250")], offers].concat();
    server.serve(FIRM, greenhouse(&twin));
    assert_eq!(fixture.refresh().await, 1);
    assert_eq!((fixture.count(address).await, id().await), (1, before));
    assert_eq!(fixture.count("select total from jobs.stats").await, 251);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_posting_of_two_sources_is_stored_once() {
    let server = BoardServer::start().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let lever = |title: &str| {
        let posting = json!([{
            "text": title, "hostedUrl": "https://jobs.lever.example/firm/9", "description": "Elsewhere.",
            "categories": { "location": "Albany, NY" },
        }]);
        Page::of(posting.to_string())
    };
    server.serve("/v0/postings/firm", lever("Attorney"));
    // The same company, so that it is the same posting.
    let fixture = Fixture::crawling(&server, "greenhouse:firm=Firm,lever:firm=Firm").await;
    assert_eq!(fixture.open_titles().await, ["Attorney"]);
    assert_eq!(fixture.refresh().await, 0);
    fixture.assert_derived_rows().await;
    // The first source no longer lists it: it closes there and opens at the other source.
    let owner = fixture.count("select count(*) from jobs.postings p join jobs.sources s on s.id = p.source_id where s.connector = 'greenhouse'").await;
    let gone = if owner == 1 { (FIRM, greenhouse(&[])) } else { ("/v0/postings/firm", Page::of("[]")) };
    server.serve(gone.0, gone.1);
    for _ in 0..4 {
        fixture.refresh().await;
    }
    assert_eq!(fixture.open_titles().await, ["Attorney"]);
    assert_eq!(fixture.count("select count(*) from jobs.postings where closed_at is null").await, 1);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_posting_missed_twice_closes_and_reopens_when_it_returns() {
    let (server, fixture) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    let id = fixture
        .list_jobs(ListJobsRequest::default())
        .await
        .unwrap()
        .jobs
        .into_iter()
        .find(|job| job.title == "Paralegal")
        .unwrap()
        .id;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await, ["Attorney", "Paralegal"], "once may be an accident");
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    fixture.refresh().await;
    server.serve(FIRM, greenhouse(&[offer(1, "Attorney")]));
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await.len(), 2, "twice, but not in a row");
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await, ["Attorney"]);
    assert!(fixture.get_job(None, &id).await.unwrap().closed_at.is_some());
    assert_eq!(fixture.count("select closed::bigint from jobs.crawls order by started_at desc limit 1").await, 1);
    fixture.assert_derived_rows().await;

    server.serve(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    assert_eq!(fixture.refresh().await, 0, "it is known");
    assert_eq!(fixture.open_titles().await, ["Attorney", "Paralegal"]);
    assert_eq!(fixture.get_job(None, &id).await.unwrap().closed_at, None);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn failed_or_incomplete_crawls_close_nothing() {
    let offers: Vec<Value> = (1..=150).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (server, fixture) = firm(&offers).await;
    let whole = greenhouse(&offers).body;
    let broken: Vec<Value> = (0..10).map(|n| json!({ "title": n })).collect();
    let bad = [
        (Page::failing(500), "The server answered 500."),
        (Page::failing(404), "The server answered 404."),
        (Page::of("<html>We are moving.</html>"), "The answer could not be read."),
        (Page::of("{\"error\": \"no such board\"}"), "The answer could not be read."),
        (Page::of(""), "The answer could not be read."),
        (Page { cut: true, ..Page::of(&whole[..whole.len() / 2]) }, "The connection broke off."),
        (Page::of(&whole[..whole.len() / 2]), "The answer could not be read."),
        (greenhouse(&broken), "Most of its items could not be read."),
        (Page { retry_after: Some(90), ..Page::failing(429) }, "The server asked for a rest."),
    ];
    for (page, why) in bad {
        server.serve(FIRM, page);
        for _ in 0..2 {
            assert_eq!(fixture.refresh().await, 0);
        }
        let source = fixture.list_sources().await.remove(0);
        assert_eq!((source.state(), source.failure.as_deref()), (SourceState::Failing, Some(why)));
        assert_eq!(source.open_items, 150);
    }
    assert_eq!(fixture.count("select count(*) from jobs.postings where closed_at is null and misses = 0").await, 150);
    fixture.assert_derived_rows().await;
    server.serve(FIRM, greenhouse(&offers));
    assert_eq!(fixture.refresh().await, 0);
    assert_eq!(fixture.list_sources().await.remove(0).state(), SourceState::Healthy);
}

#[tokio::test]
async fn an_invalid_item_affects_no_other() {
    let mut offers: Vec<Value> = (1..=120).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    offers.insert(3, json!("not an offer"));
    offers.insert(50, with(offer(900, "Attorney"), "absolute_url", json!("javascript:alert(1)")));
    offers.insert(101, Value::Null);
    let (_site, fixture) = firm(&offers).await;
    assert_eq!(fixture.count("select total from jobs.stats").await, 120);
    assert_eq!(fixture.count("select found::bigint from jobs.crawls").await, 123);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_deadline_closes_a_posting_and_notifies_applicants() {
    let due = with(offer(1, "Attorney"), "application_deadline", json!("2026-03-02T12:00:00Z"));
    let (_site, fixture) = firm(&[due, offer(2, "Paralegal")]).await;
    let jobs = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    for job in &jobs {
        let request = ApplyRequest { job_id: job.id.clone(), ..Default::default() };
        fixture.apply(member(1), request).await.unwrap();
    }
    let (pool, clock) = (fixture.harness.pool(), &fixture.harness.clock);
    assert_eq!(jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap(), 0);
    clock.advance(TimeDelta::hours(3));
    assert_eq!(fixture.open_titles().await, ["Paralegal"], "it is over before anything closes it");
    assert_eq!(jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap(), 1);
    assert_eq!(jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap(), 0);
    assert_eq!(
        fixture.count("select count(*) from jobs.outbox where kind = 'portia.jobs.v1.AppliedPostingClosed'").await,
        1
    );
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn postings_of_a_removed_source_close_after_thirty_days() {
    let (_site, fixture) = firm(&[offer(1, "Attorney")]).await;
    fixture.harness.database().run("update jobs.sources set is_on = false").await;
    let (pool, clock) = (fixture.harness.pool(), &fixture.harness.clock);
    clock.advance(TimeDelta::days(29));
    assert_eq!(jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap(), 0);
    clock.advance(TimeDelta::days(1));
    assert_eq!(jobs::expiry::close_expired(pool, &changes(&fixture.harness)).await.unwrap(), 1);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn an_unchanged_response_counts_as_a_crawl() {
    let server = BoardServer::start().await;
    let marked = |etag, offers: &[Value]| Page { etag: Some(etag), ..greenhouse(offers) };
    server.serve(FIRM, marked("\"one\"", &[offer(1, "Attorney"), offer(2, "Paralegal")]));
    let fixture = Fixture::crawling(&server, FIRM_SOURCE).await;
    fixture.refresh().await;
    assert_eq!(fixture.count("select count(*) from jobs.crawls where unchanged").await, 1);
    assert_eq!(fixture.open_titles().await.len(), 2);
    server.serve(FIRM, marked("\"two\"", &[offer(1, "Attorney")]));
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await.len(), 2);
    fixture.refresh().await;
    assert_eq!(fixture.count("select count(*) from jobs.crawls where unchanged").await, 2);
    assert_eq!(fixture.open_titles().await, ["Attorney"], "the same list without it is a second one");
    fixture.refresh().await;
    assert_eq!(fixture.open_titles().await, ["Attorney"]);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn thousands_of_postings_are_stored_in_batches() {
    let offers: Vec<Value> = (1..=2_000).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (_site, fixture) = firm(&offers).await;
    assert_eq!(fixture.count("select total from jobs.stats").await, 2_000);
    let transactions = "select count(*) from (select from jobs.postings group by xmin having count(*) = 100) as whole";
    assert_eq!(fixture.count(transactions).await, 20);
    assert_eq!(fixture.list_sources().await[0].new_items, 2_000);
    let request = fixture.harness.actors.service("gateway").request(GetStatsRequest {}).unwrap();
    assert_eq!(fixture.jobs.clone().get_stats(request).await.unwrap().into_inner().total_jobs, 2_000);
    fixture.assert_derived_rows().await;
}

#[tokio::test]
async fn a_removed_posting_is_not_reopened() {
    let (server, fixture) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    let jobs = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs;
    let removed = jobs.into_iter().find(|job| job.title == "Attorney").unwrap();
    let apply = ApplyRequest { job_id: removed.id.clone(), ..Default::default() };
    fixture.apply(member(1), apply.clone()).await.unwrap();
    let id = removed.id.parse().unwrap();
    let (ids, clock) = (&fixture.harness.context.ids, &fixture.harness.clock);
    let mut conn = fixture.harness.pool().acquire().await.unwrap();
    for _ in 0..2 {
        assert_eq!(jobs::admin::remove_posting(&mut conn, id, ids, clock).await.unwrap(), "Attorney");
    }
    assert_eq!(fixture.open_titles().await, ["Paralegal"]);
    assert!(fixture.get_job(None, &removed.id).await.unwrap().closed_at.is_some());
    assert_eq!(fixture.apply(member(2), apply).await.unwrap_err().reason, "JOB_CLOSED");
    let facts = "select count(*) from jobs.outbox where kind like '%PostingClosed'";
    assert_eq!(fixture.count(facts).await, 1, "one notification");
    fixture.assert_derived_rows().await;

    for offers in
        [vec![offer(1, "Attorney"), offer(2, "Paralegal")], vec![offer(1, "Head Attorney"), offer(3, "Clerk")]]
    {
        fixture.harness.clock.advance(TimeDelta::hours(6));
        server.serve(FIRM, greenhouse(&offers));
        fixture.refresh().await;
        assert!(!fixture.open_titles().await.iter().any(|title| title.contains("Attorney")));
        fixture.assert_derived_rows().await;
    }
    assert!(fixture.open_titles().await.contains(&"Clerk".to_owned()), "and holds up nothing else");
    let nowhere = jobs::admin::remove_posting(&mut conn, member(9), ids, clock).await.unwrap_err();
    assert_eq!(nowhere.to_string(), "Job not found");
}
