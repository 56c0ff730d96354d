//! The list of postings: order, pages, what is open, and the kept numbers.

use chrono::TimeDelta;
use portia_proto::jobs::{
    ApplyRequest, EmploymentType, ExperienceLevel, GetStatsRequest, GetStatsResponse, Job, ListJobsRequest,
    PracticeArea,
};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::board::{Board, Posting, fields, posting, posting_id};

#[tokio::test]
async fn an_empty_board_is_an_empty_page() {
    let board = Board::open().await;
    let page = board.list(ListJobsRequest::default()).await.unwrap();
    assert_eq!((page.jobs, page.next_page_token), (vec![], String::new()));
}

#[tokio::test]
async fn pages_walk_from_the_newest_to_the_oldest() {
    let board = Board::open().await;
    let titles: Vec<String> = (0..25).map(|n| format!("Posting {n}")).collect();
    for (n, title) in (0..).zip(&titles) {
        board.put(posting(n, title)).await;
    }
    let mut walked = Vec::new();
    let mut request = ListJobsRequest { page_size: 10, ..Default::default() };
    loop {
        let page = board.list(request.clone()).await.unwrap();
        walked.push(page.jobs.len());
        let seen: usize = walked.iter().sum();
        let expected = titles.iter().take(seen).skip(seen - page.jobs.len());
        assert!(page.jobs.iter().map(|job| &job.title).eq(expected));
        if page.next_page_token.is_empty() {
            break;
        }
        // A posting that arrives meanwhile moves nothing.
        if walked.len() == 1 {
            board.harness.clock.advance(TimeDelta::days(1));
            board.put(posting(99, "Arrived meanwhile")).await;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(walked, [10, 10, 5]);
}

#[tokio::test]
async fn postings_of_one_moment_are_not_lost_between_pages() {
    let board = Board::open().await;
    for (n, title) in [(1, "one"), (2, "two"), (3, "three")] {
        board.put(posting(n, title)).await;
    }
    board.harness.database().run("update jobs.postings set posted_at = '2026-01-01'").await;
    let mut seen = Vec::new();
    let mut request = ListJobsRequest { page_size: 1, ..Default::default() };
    for _ in 0..3 {
        let page = board.list(request.clone()).await.unwrap();
        seen.extend(page.jobs.into_iter().map(|job| job.title));
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, ["three", "two", "one"]);
    assert_eq!(request.page_token, "");
}

#[tokio::test]
async fn only_open_postings_are_listed() {
    let board = Board::open().await;
    let now = board.harness.clock.now();
    board.put(posting(1, "open")).await;
    board.put(Posting { closed: true, ..posting(2, "closed") }).await;
    board.put(Posting { deadline: Some(now), ..posting(3, "over") }).await;
    board.put(Posting { deadline: Some(now + TimeDelta::hours(1)), ..posting(4, "until ten") }).await;
    assert_eq!(board.titles(ListJobsRequest::default()).await, ["open", "until ten"]);
    board.harness.clock.advance(TimeDelta::hours(1));
    assert_eq!(board.titles(ListJobsRequest::default()).await, ["open"]);
}

#[tokio::test]
async fn every_field_arrives() {
    let board = Board::open().await;
    let deadline = board.harness.clock.now() + TimeDelta::days(30);
    board
        .put(Posting {
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
    board.harness.database().run("update jobs.postings set salary = '$30', external_url = 'https://x.example'").await;
    let page = board.list(ListJobsRequest::default()).await.unwrap();
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
        external_url: Some("https://x.example".to_owned()),
        posted_at: Some(timestamp(board.harness.clock.now() - TimeDelta::minutes(7))),
        closed_at: None,
        is_demo: false,
        is_applied: false,
    };
    assert_eq!(page.jobs, std::slice::from_ref(&job));
    assert_eq!(board.job(None, &job.id).await.unwrap(), job);
}

#[tokio::test]
async fn a_list_has_the_beginning_of_a_text_and_the_posting_all_of_it() {
    let board = Board::open().await;
    let text = "\u{f1}".repeat(900);
    board.put(Posting { description: &text, ..posting(1, "Clerk") }).await;
    let listed = board.list(ListJobsRequest::default()).await.unwrap().jobs.remove(0);
    assert_eq!(listed.description, "\u{f1}".repeat(500));
    assert_eq!(board.job(None, &listed.id).await.unwrap().description, text);
}

#[tokio::test]
async fn a_closed_posting_can_still_be_read() {
    let board = Board::open().await;
    let now = board.harness.clock.now();
    board.put(Posting { closed: true, ..posting(1, "closed") }).await;
    board.put(Posting { deadline: Some(now), ..posting(2, "over") }).await;
    board.put(Posting { deadline: Some(now + TimeDelta::hours(1)), ..posting(3, "open") }).await;
    let closed = async |n| board.job(None, &posting_id(n).to_string()).await.unwrap().closed_at;
    assert_eq!([closed(1).await, closed(2).await, closed(3).await], [Some(timestamp(now)), Some(timestamp(now)), None]);
}

#[tokio::test]
async fn stats_are_the_kept_numbers_of_all_sources() {
    let board = Board::open().await;
    let stats = async || {
        let request = board.harness.actors.service("gateway").request(GetStatsRequest {}).unwrap();
        board.jobs.clone().get_stats(request).await.unwrap().into_inner()
    };
    assert_eq!(stats().await, GetStatsResponse::default());
    let kept = "
        insert into jobs.sources (id, connector, address, name)
        values ('01930000-0000-7000-8000-0000000000f2', 'lever', 'another', 'Another');
        insert into jobs.stats (source_id) values ('01930000-0000-7000-8000-0000000000f2');
        update jobs.stats set total = 10, internships = 3, entry_level = 4, full_time = 5";
    board.harness.database().run(kept).await;
    assert_eq!(stats().await, GetStatsResponse { total_jobs: 20, internships: 6, entry_level: 8, full_time: 10 });
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let board = Board::open().await;
    for (page_size, page_token, field) in
        [(-1, "", "pageSize"), (0, "x", "pageToken"), (0, "\0", "pageToken"), (0, "e30", "pageToken")]
    {
        let request = ListJobsRequest { page_size, page_token: page_token.to_owned(), ..Default::default() };
        let refused = board.list(request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
    // A well-formed token with a moment no database knows.
    let beyond =
        "eyJhdCI6Ii0yNjIxNDItMDEtMDFUMDA6MDA6MDBaIiwiaWQiOiIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDAifQ";
    let request = ListJobsRequest { page_token: beyond.to_owned(), ..Default::default() };
    assert_eq!(board.list(request).await.unwrap_err().kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn nobody_is_refused() {
    let board = Board::open().await;
    let request = board.harness.actors.nobody().request(ListJobsRequest::default()).unwrap();
    let status = board.jobs.clone().list_jobs(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}

#[tokio::test]
async fn several_are_told_as_the_list_tells_them_open_or_closed() {
    let board = Board::open().await;
    let now = board.harness.clock.now();
    let text = "Long. ".repeat(200);
    board.put(Posting { description: &text, ..posting(1, "open") }).await;
    board.put(Posting { closed: true, ..posting(2, "closed") }).await;
    board.put(Posting { deadline: Some(now), ..posting(3, "over") }).await;
    board.applies(member(1), ApplyRequest { job_id: posting_id(1).to_string(), ..Default::default() }).await.unwrap();
    let ids: Vec<String> = [3, 9, 1, 2, 1].map(|n| posting_id(n).to_string()).to_vec();
    for who in [None, Some(member(1))] {
        let mut some = board.some(who, &ids).await.unwrap();
        some.sort_by(|one, other| one.id.cmp(&other.id));
        let told: Vec<_> =
            some.iter().map(|job| (job.title.as_str(), job.closed_at.is_some(), job.is_applied)).collect();
        assert_eq!(told, [("open", false, who.is_some()), ("closed", true, false), ("over", true, false)]);
        // Besides the whole text of the first as each is told by itself.
        for job in &some {
            let one = board.job(who, &job.id).await.unwrap();
            let description = job.description.clone();
            assert!(one.description.starts_with(description.trim_end_matches('…')), "{description}");
            assert_eq!(Job { description, ..one }, *job);
        }
        assert!(some[0].description.len() < text.len());
    }
    assert_eq!(board.some(None, &[]).await.unwrap(), []);
    for bad in [vec!["1".to_owned()], vec![ids[0].clone(), "\0".to_owned()], vec![ids[0].clone(); 101]] {
        let refused = board.some(None, &bad).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["jobIds"]));
    }
    assert_eq!(board.some(None, &vec![ids[0].clone(); 100]).await.unwrap().len(), 1);
}
