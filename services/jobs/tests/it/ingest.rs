//! Taking in what boards tell: new, changed, moved, told twice, missed; and what harms nothing.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplyRequest, GetStatsRequest, ListJobsRequest, SourceState};
use serde_json::{Value, json};
use testkit::member;

use crate::{
    board::{Board, FIRM, FIRM_SOURCE, greenhouse, offer},
    site::{Page, Site},
};

/// A board of one employer with these offers, crawled once.
async fn firm(offers: &[Value]) -> (Site, Board) {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(offers));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    (site, board)
}

fn with(mut offer: Value, field: &str, value: Value) -> Value {
    offer[field] = value;
    offer
}

#[tokio::test]
async fn what_is_new_is_added_and_what_has_changed_is_brought_up_to_date() {
    let (site, board) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    assert_eq!(board.open_titles().await, ["Attorney", "Paralegal"]);
    let before = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(board.refresh().await, 0, "the same again is nothing new");

    let moved_on = with(offer(1, "Senior Attorney"), "location", json!({ "name": "Remote" }));
    site.put(FIRM, greenhouse(&[moved_on, offer(2, "Paralegal"), offer(3, "Law Clerk")]));
    assert_eq!(board.refresh().await, 1);
    assert_eq!(board.open_titles().await, ["Law Clerk", "Paralegal", "Senior Attorney"]);
    let after = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    let one = |jobs: &[portia_proto::jobs::Job], url: &str| {
        jobs.iter().find(|job| job.external_url.as_deref().is_some_and(|link| link.ends_with(url))).unwrap().clone()
    };
    let (was, is) = (one(&before, "/1"), one(&after, "/1"));
    assert_eq!((was.id, was.posted_at), (is.id, is.posted_at), "it is the same posting, where its readers saw it");
    assert_eq!((is.location.as_deref(), is.experience_level), (Some("Remote"), 3));
    assert_eq!(one(&before, "/2"), one(&after, "/2"));
    board.assert_kept().await;
}

#[tokio::test]
async fn one_that_moved_to_another_address_is_the_same() {
    let (site, board) = firm(&[offer(1, "Attorney")]).await;
    let before = board.list(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    site.put(FIRM, greenhouse(&[with(offer(7, "attorney"), "content", json!("Rewritten."))]));
    assert_eq!(board.refresh().await, 0);
    let after = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    assert_eq!(after.len(), 1);
    assert_eq!(after[0].id, before.id);
    assert!(after[0].external_url.as_deref().unwrap().ends_with("/7"));
    assert_eq!(after[0].description, "Rewritten.");
    board.assert_kept().await;
}

#[tokio::test]
async fn one_address_is_one_posting_and_two_are_two_positions_of_one_name() {
    let told = [offer(1, "Attorney"), offer(2, "ATTORNEY"), offer(1, "Attorney")];
    let (site, board) = firm(&told).await;
    let mut first = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    first.sort_by_key(|job| job.id.clone());
    assert_eq!(first.len(), 2);
    for order in [[1, 0, 2], [0, 2, 1], [2, 1, 0]] {
        let order: Vec<Value> = order.iter().map(|at: &usize| told[*at].clone()).collect();
        site.put(FIRM, greenhouse(&order));
        assert_eq!(board.refresh().await, 0);
        let mut again = board.list(ListJobsRequest::default()).await.unwrap().jobs;
        again.sort_by_key(|job| job.id.clone());
        assert_eq!(again, first);
    }
    // One of them goes, the other stays.
    site.put(FIRM, greenhouse(&told[1..2]));
    board.refresh().await;
    board.refresh().await;
    assert_eq!(board.open_titles().await, ["ATTORNEY"]);
    board.assert_kept().await;
}

#[tokio::test]
async fn one_that_is_told_of_long_after_its_twin_keeps_its_address() {
    let offers: Vec<Value> = (1..=250).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (site, board) = firm(&offers).await;
    let address = "select count(*) from jobs.postings where title = 'Attorney 250' and url like '%/jobs/250'";
    let id = "select id::text from jobs.postings where url like '%/jobs/250'";
    let id = async || sqlx::query_scalar::<_, String>(id).fetch_one(board.harness.pool()).await.unwrap();
    let before = id().await;
    // Its twin is new, and stands two batches before it.
    let twin = [vec![offer(900, "Attorney 250")], offers].concat();
    site.put(FIRM, greenhouse(&twin));
    assert_eq!(board.refresh().await, 1);
    assert_eq!((board.count(address).await, id().await), (1, before));
    assert_eq!(board.count("select total from jobs.stats").await, 251);
    board.assert_kept().await;
}

#[tokio::test]
async fn two_sources_share_what_both_tell_of() {
    let site = Site::open().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    let lever = |title: &str| {
        let posting = json!([{
            "text": title, "hostedUrl": "https://jobs.lever.example/firm/9", "description": "Elsewhere.",
            "categories": { "location": "Albany, NY" },
        }]);
        Page::of(posting.to_string())
    };
    site.put("/v0/postings/firm", lever("Attorney"));
    // Told in the name of the same company, so that it is the same posting.
    let board = Board::crawling(&site, "greenhouse:firm=Firm,lever:firm=Firm").await;
    assert_eq!(board.open_titles().await, ["Attorney"]);
    assert_eq!(board.refresh().await, 0);
    board.assert_kept().await;
    // The one that told of it first does no more: it closes there, and opens where it is still told of.
    let owner = board.count("select count(*) from jobs.postings p join jobs.sources s on s.id = p.source_id where s.connector = 'greenhouse'").await;
    let gone = if owner == 1 { (FIRM, greenhouse(&[])) } else { ("/v0/postings/firm", Page::of("[]")) };
    site.put(gone.0, gone.1);
    for _ in 0..4 {
        board.refresh().await;
    }
    assert_eq!(board.open_titles().await, ["Attorney"]);
    assert_eq!(board.count("select count(*) from jobs.postings where closed_at is null").await, 1);
    board.assert_kept().await;
}

#[tokio::test]
async fn one_that_two_healthy_crawls_miss_is_closed_and_opens_again_when_it_comes_back() {
    let (site, board) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    let id = board
        .list(ListJobsRequest::default())
        .await
        .unwrap()
        .jobs
        .into_iter()
        .find(|job| job.title == "Paralegal")
        .unwrap()
        .id;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    board.refresh().await;
    assert_eq!(board.open_titles().await, ["Attorney", "Paralegal"], "once may be an accident");
    site.put(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    board.refresh().await;
    site.put(FIRM, greenhouse(&[offer(1, "Attorney")]));
    board.refresh().await;
    assert_eq!(board.open_titles().await.len(), 2, "twice, but not in a row");
    board.refresh().await;
    assert_eq!(board.open_titles().await, ["Attorney"]);
    assert!(board.job(None, &id).await.unwrap().closed_at.is_some());
    assert_eq!(board.count("select closed::bigint from jobs.crawls order by started_at desc limit 1").await, 1);
    board.assert_kept().await;

    site.put(FIRM, greenhouse(&[offer(1, "Attorney"), offer(2, "Paralegal")]));
    assert_eq!(board.refresh().await, 0, "it is known");
    assert_eq!(board.open_titles().await, ["Attorney", "Paralegal"]);
    assert_eq!(board.job(None, &id).await.unwrap().closed_at, None);
    board.assert_kept().await;
}

#[tokio::test]
async fn crawls_that_are_not_healthy_and_whole_close_nothing() {
    let offers: Vec<Value> = (1..=150).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (site, board) = firm(&offers).await;
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
        site.put(FIRM, page);
        for _ in 0..2 {
            assert_eq!(board.refresh().await, 0);
        }
        let source = board.sources().await.remove(0);
        assert_eq!((source.state(), source.failure.as_deref()), (SourceState::Failing, Some(why)));
        assert_eq!(source.open_items, 150);
    }
    assert_eq!(board.count("select count(*) from jobs.postings where closed_at is null and misses = 0").await, 150);
    board.assert_kept().await;
    site.put(FIRM, greenhouse(&offers));
    assert_eq!(board.refresh().await, 0);
    assert_eq!(board.sources().await.remove(0).state(), SourceState::Healthy);
}

#[tokio::test]
async fn a_broken_item_harms_no_other() {
    let mut offers: Vec<Value> = (1..=120).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    offers.insert(3, json!("not an offer"));
    offers.insert(50, with(offer(900, "Attorney"), "absolute_url", json!("javascript:alert(1)")));
    offers.insert(101, Value::Null);
    let (_site, board) = firm(&offers).await;
    assert_eq!(board.count("select total from jobs.stats").await, 120);
    assert_eq!(board.count("select found::bigint from jobs.crawls").await, 123);
    board.assert_kept().await;
}

#[tokio::test]
async fn a_deadline_closes_and_tells_whoever_waits() {
    let due = with(offer(1, "Attorney"), "application_deadline", json!("2026-03-02T12:00:00Z"));
    let (_site, board) = firm(&[due, offer(2, "Paralegal")]).await;
    let jobs = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    for job in &jobs {
        let request = ApplyRequest { job_id: job.id.clone(), ..Default::default() };
        board.applies(member(1), request).await.unwrap();
    }
    let (pool, clock) = (board.harness.pool(), &board.harness.clock);
    let outbox = outbox::Outbox::new("jobs");
    assert_eq!(jobs::closing::overdue(pool, &outbox, clock).await.unwrap(), 0);
    clock.advance(TimeDelta::hours(3));
    assert_eq!(board.open_titles().await, ["Paralegal"], "it is over before anything closes it");
    assert_eq!(jobs::closing::overdue(pool, &outbox, clock).await.unwrap(), 1);
    assert_eq!(jobs::closing::overdue(pool, &outbox, clock).await.unwrap(), 0);
    assert_eq!(
        board.count("select count(*) from jobs.outbox where kind = 'portia.jobs.v1.AppliedPostingClosed'").await,
        1
    );
    board.assert_kept().await;
}

#[tokio::test]
async fn what_is_left_of_a_source_nobody_asks_any_more_goes_in_time() {
    let (_site, board) = firm(&[offer(1, "Attorney")]).await;
    board.harness.database().run("update jobs.sources set is_on = false").await;
    let (pool, clock) = (board.harness.pool(), &board.harness.clock);
    let outbox = outbox::Outbox::new("jobs");
    clock.advance(TimeDelta::days(29));
    assert_eq!(jobs::closing::overdue(pool, &outbox, clock).await.unwrap(), 0);
    clock.advance(TimeDelta::days(1));
    assert_eq!(jobs::closing::overdue(pool, &outbox, clock).await.unwrap(), 1);
    board.assert_kept().await;
}

#[tokio::test]
async fn what_is_unchanged_is_not_read_again_and_what_was_missed_is_missed_again() {
    let site = Site::open().await;
    let marked = |etag, offers: &[Value]| Page { etag: Some(etag), ..greenhouse(offers) };
    site.put(FIRM, marked("\"one\"", &[offer(1, "Attorney"), offer(2, "Paralegal")]));
    let board = Board::crawling(&site, FIRM_SOURCE).await;
    board.refresh().await;
    assert_eq!(board.count("select count(*) from jobs.crawls where unchanged").await, 1);
    assert_eq!(board.open_titles().await.len(), 2);
    site.put(FIRM, marked("\"two\"", &[offer(1, "Attorney")]));
    board.refresh().await;
    assert_eq!(board.open_titles().await.len(), 2);
    board.refresh().await;
    assert_eq!(board.count("select count(*) from jobs.crawls where unchanged").await, 2);
    assert_eq!(board.open_titles().await, ["Attorney"], "the same list without it is a second one");
    board.refresh().await;
    assert_eq!(board.open_titles().await, ["Attorney"]);
    board.assert_kept().await;
}

#[tokio::test]
async fn thousands_of_postings_are_taken_in_a_hundred_a_transaction() {
    let offers: Vec<Value> = (1..=2_000).map(|n| offer(n, &format!("Attorney {n}"))).collect();
    let (_site, board) = firm(&offers).await;
    assert_eq!(board.count("select total from jobs.stats").await, 2_000);
    let transactions = "select count(*) from (select from jobs.postings group by xmin having count(*) = 100) as whole";
    assert_eq!(board.count(transactions).await, 20);
    assert_eq!(board.sources().await[0].new_items, 2_000);
    let request = board.harness.actors.service("gateway").request(GetStatsRequest {}).unwrap();
    assert_eq!(board.jobs.clone().get_stats(request).await.unwrap().into_inner().total_jobs, 2_000);
    board.assert_kept().await;
}

#[tokio::test]
async fn what_an_operator_removed_no_crawl_opens_again() {
    let (site, board) = firm(&[offer(1, "Attorney"), offer(2, "Paralegal")]).await;
    let jobs = board.list(ListJobsRequest::default()).await.unwrap().jobs;
    let removed = jobs.into_iter().find(|job| job.title == "Attorney").unwrap();
    let apply = ApplyRequest { job_id: removed.id.clone(), ..Default::default() };
    board.applies(member(1), apply.clone()).await.unwrap();
    let (id, now) = (removed.id.parse().unwrap(), board.harness.clock.now());
    let mut conn = board.harness.pool().acquire().await.unwrap();
    for _ in 0..2 {
        assert_eq!(jobs::admin::remove(&mut conn, id, now).await.unwrap(), "Attorney");
    }
    assert_eq!(board.open_titles().await, ["Paralegal"]);
    assert!(board.job(None, &removed.id).await.unwrap().closed_at.is_some());
    assert_eq!(board.applies(member(2), apply).await.unwrap_err().reason, "JOB_CLOSED");
    let told = "select count(*) from jobs.outbox where kind like '%PostingClosed'";
    assert_eq!(board.count(told).await, 1, "whoever applied is told, once");
    board.assert_kept().await;

    for offers in
        [vec![offer(1, "Attorney"), offer(2, "Paralegal")], vec![offer(1, "Head Attorney"), offer(3, "Clerk")]]
    {
        board.harness.clock.advance(TimeDelta::hours(6));
        site.put(FIRM, greenhouse(&offers));
        board.refresh().await;
        assert!(!board.open_titles().await.iter().any(|title| title.contains("Attorney")));
        board.assert_kept().await;
    }
    assert!(board.open_titles().await.contains(&"Clerk".to_owned()), "and holds up nothing else");
    let nowhere = jobs::admin::remove(&mut conn, member(9), now).await.unwrap_err();
    assert_eq!(nowhere.to_string(), "Job not found");
}
