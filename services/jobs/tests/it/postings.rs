//! The list of postings: order, pages, closed postings, and statistics.

use chrono::TimeDelta;
use portia_proto::jobs::{
    ApplyRequest, EmploymentType, ExperienceLevel, GetStatsRequest, GetStatsResponse, Job, ListJobsRequest,
    PracticeArea,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::fixtures::{Fixture, Posting, fields, posting, posting_id};

#[tokio::test]
async fn without_postings_the_page_is_empty() {
    let fixture = Fixture::empty().await;
    let page = fixture.list_jobs(ListJobsRequest::default()).await.unwrap();
    assert_eq!((page.jobs, page.next_page_token), (vec![], String::new()));
}

#[tokio::test]
async fn pages_list_newest_first() {
    let fixture = Fixture::empty().await;
    let titles: Vec<String> = (0..25).map(|n| format!("Posting {n}")).collect();
    for (n, title) in (0..).zip(&titles) {
        fixture.insert_posting(posting(n, title)).await;
    }
    let mut walked = Vec::new();
    let mut request = ListJobsRequest { page_size: 10, ..Default::default() };
    loop {
        let page = fixture.list_jobs(request.clone()).await.unwrap();
        walked.push(page.jobs.len());
        let seen: usize = walked.iter().sum();
        let expected = titles.iter().take(seen).skip(seen - page.jobs.len());
        assert!(page.jobs.iter().map(|job| &job.title).eq(expected));
        if page.next_page_token.is_empty() {
            break;
        }
        // A new posting does not shift the next pages.
        if walked.len() == 1 {
            fixture.harness.clock.advance(TimeDelta::days(1));
            fixture.insert_posting(posting(99, "Arrived meanwhile")).await;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(walked, [10, 10, 5]);
}

#[tokio::test]
async fn postings_of_the_same_time_are_not_lost_between_pages() {
    let fixture = Fixture::empty().await;
    for (n, title) in [(1, "one"), (2, "two"), (3, "three")] {
        fixture.insert_posting(posting(n, title)).await;
    }
    fixture.harness.database().run("update jobs.postings set posted_at = '2026-01-01'").await;
    let mut seen = Vec::new();
    let mut request = ListJobsRequest { page_size: 1, ..Default::default() };
    for _ in 0..3 {
        let page = fixture.list_jobs(request.clone()).await.unwrap();
        seen.extend(page.jobs.into_iter().map(|job| job.title));
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, ["three", "two", "one"]);
    assert_eq!(request.page_token, "");
}

#[tokio::test]
async fn only_open_postings_are_listed() {
    let fixture = Fixture::empty().await;
    let now = fixture.harness.clock.now();
    fixture.insert_posting(posting(1, "open")).await;
    fixture.insert_posting(Posting { closed: true, ..posting(2, "closed") }).await;
    fixture.insert_posting(Posting { deadline: Some(now), ..posting(3, "over") }).await;
    fixture.insert_posting(Posting { deadline: Some(now + TimeDelta::hours(1)), ..posting(4, "until ten") }).await;
    assert_eq!(fixture.titles(ListJobsRequest::default()).await, ["open", "until ten"]);
    fixture.harness.clock.advance(TimeDelta::hours(1));
    assert_eq!(fixture.titles(ListJobsRequest::default()).await, ["open"]);
}

#[tokio::test]
async fn all_fields_are_returned() {
    let fixture = Fixture::empty().await;
    let deadline = fixture.harness.clock.now() + TimeDelta::days(30);
    fixture
        .insert_posting(Posting {
            company: "Ñandú & Partners",
            location: Some("Remote (New York)"),
            remote: true,
            description: "Two\nlines.",
            employment_type: Some("internship"),
            experience_level: Some("entry-level"),
            practice_area: Some("public-interest"),
            deadline: Some(deadline),
            ..posting(7, "Summer Associate")
        })
        .await;
    fixture.harness.database().run("update jobs.postings set salary = '$30', external_url = 'https://x.example'").await;
    let page = fixture.list_jobs(ListJobsRequest::default()).await.unwrap();
    let job = Job {
        id: posting_id(7).to_string(),
        title: "Summer Associate".to_owned(),
        company: "Ñandú & Partners".to_owned(),
        location: Some("Remote (New York)".to_owned()),
        description: "Two\nlines.".to_owned(),
        employment_type: EmploymentType::Internship.into(),
        experience_level: ExperienceLevel::EntryLevel.into(),
        practice_area: PracticeArea::PublicInterest.into(),
        salary: Some("$30".to_owned()),
        source: "Court Jobs".to_owned(),
        application_deadline: Some(timestamp(deadline)),
        application_deadline_date: None,
        external_url: Some("https://x.example".to_owned()),
        posted_at: Some(timestamp(fixture.harness.clock.now() - TimeDelta::minutes(7))),
        posted_date: None,
        closed_at: None,
        is_demo: false,
        is_applied: false,
    };
    assert_eq!(page.jobs, std::slice::from_ref(&job));
    assert_eq!(fixture.get_job(None, &job.id).await.unwrap(), job);
}

#[tokio::test]
async fn a_list_contains_summaries_and_a_posting_its_whole_text() {
    let fixture = Fixture::empty().await;
    let text = "\u{f1}".repeat(900);
    fixture.insert_posting(Posting { description: &text, ..posting(1, "Clerk") }).await;
    let listed = fixture.list_jobs(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    assert_eq!(listed.description, "\u{f1}".repeat(500));
    assert_eq!(fixture.get_job(None, &listed.id).await.unwrap().description, text);
}

#[tokio::test]
async fn a_closed_posting_can_still_be_read() {
    let fixture = Fixture::empty().await;
    let now = fixture.harness.clock.now();
    fixture.insert_posting(Posting { closed: true, ..posting(1, "closed") }).await;
    fixture.insert_posting(Posting { deadline: Some(now), ..posting(2, "over") }).await;
    fixture.insert_posting(Posting { deadline: Some(now + TimeDelta::hours(1)), ..posting(3, "open") }).await;
    let closed = async |n| fixture.get_job(None, &posting_id(n).to_string()).await.unwrap().closed_at;
    assert_eq!([closed(1).await, closed(2).await, closed(3).await], [Some(timestamp(now)), Some(timestamp(now)), None]);
}

#[tokio::test]
async fn statistics_sum_all_sources() {
    let fixture = Fixture::empty().await;
    let stats = async || {
        let request = fixture.harness.actors.service("gateway").request(GetStatsRequest {}).unwrap();
        fixture.jobs.clone().get_stats(request).await.unwrap().into_inner()
    };
    assert_eq!(stats().await, GetStatsResponse::default());
    let kept = "
        insert into jobs.sources (id, connector, address, name)
        values ('01930000-0000-7000-8000-0000000000f2', 'lever', 'another', 'Another');
        insert into jobs.stats (source_id) values ('01930000-0000-7000-8000-0000000000f2');
        update jobs.stats set total = 10, internships = 3, entry_level = 4, full_time = 5";
    fixture.harness.database().run(kept).await;
    assert_eq!(stats().await, GetStatsResponse { total_jobs: 20, internships: 6, entry_level: 8, full_time: 10 });
}

#[tokio::test]
async fn invalid_page_parameters_name_the_field() {
    let fixture = Fixture::empty().await;
    for (page_size, page_token, field) in
        [(-1, "", "pageSize"), (0, "x", "pageToken"), (0, "\0", "pageToken"), (0, "e30", "pageToken")]
    {
        let request = ListJobsRequest { page_size, page_token: page_token.to_owned(), ..Default::default() };
        let refused = fixture.list_jobs(request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
    // A well-formed token with a time that Postgres does not support.
    let beyond =
        "eyJhdCI6Ii0yNjIxNDItMDEtMDFUMDA6MDA6MDBaIiwiaWQiOiIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDAifQ";
    let request = ListJobsRequest { page_token: beyond.to_owned(), ..Default::default() };
    assert_eq!(fixture.list_jobs(request).await.unwrap_err().kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn a_call_without_a_token_is_unauthenticated() {
    let fixture = Fixture::empty().await;
    let request = fixture.harness.actors.invalid_token().request(ListJobsRequest::default()).unwrap();
    let status = fixture.jobs.clone().list_jobs(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}

#[tokio::test]
async fn a_batch_returns_open_and_closed_postings_as_lists_do() {
    let fixture = Fixture::empty().await;
    let now = fixture.harness.clock.now();
    let text = "Long. ".repeat(200);
    fixture.insert_posting(Posting { description: &text, ..posting(1, "open") }).await;
    fixture.insert_posting(Posting { closed: true, ..posting(2, "closed") }).await;
    fixture.insert_posting(Posting { deadline: Some(now), ..posting(3, "over") }).await;
    fixture.apply(member(1), ApplyRequest { job_id: posting_id(1).to_string(), ..Default::default() }).await.unwrap();
    let ids: Vec<String> = [3, 9, 1, 2, 1].map(|n| posting_id(n).to_string()).to_vec();
    for who in [None, Some(member(1))] {
        let mut some = fixture.batch_get_jobs(who, &ids).await.unwrap();
        some.sort_by(|one, other| one.id.cmp(&other.id));
        let actual: Vec<_> =
            some.iter().map(|job| (job.title.as_str(), job.closed_at.is_some(), job.is_applied)).collect();
        assert_eq!(actual, [("open", false, who.is_some()), ("closed", true, false), ("over", true, false)]);
        // A single get also returns the whole text.
        for job in &some {
            let one = fixture.get_job(who, &job.id).await.unwrap();
            let description = job.description.clone();
            assert!(one.description.starts_with(description.trim_end_matches('…')), "{description}");
            assert_eq!(Job { description, ..one }, *job);
        }
        assert!(some[0].description.len() < text.len());
    }
    assert_eq!(fixture.batch_get_jobs(None, &[]).await.unwrap(), []);
    for bad in [vec!["1".to_owned()], vec![ids[0].clone(), "\0".to_owned()], vec![ids[0].clone(); 101]] {
        let refused = fixture.batch_get_jobs(None, &bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["jobIds"]));
    }
    assert_eq!(fixture.batch_get_jobs(None, &vec![ids[0].clone(); 100]).await.unwrap().len(), 1);
}
