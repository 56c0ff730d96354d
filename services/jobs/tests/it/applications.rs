//! Applications: one's own, newest first, whatever became of the posting.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplicationStatus, ListMyApplicationsRequest};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::board::{Board, Posting, fields, posting, posting_id};

#[tokio::test]
async fn a_member_sees_their_own_newest_first_and_no_others() {
    let board = Board::open().await;
    board.put(posting(1, "Clerk")).await;
    board.put(Posting { closed: true, employment_type: Some("full-time"), ..posting(2, "Closed since") }).await;
    board.apply(5, member(1), 1, "applied").await;
    board.apply(4, member(1), 2, "interviewed").await;
    board.apply(3, member(2), 1, "offered").await;

    let mine = board.applications(member(1), ListMyApplicationsRequest::default()).await.unwrap();
    let told: Vec<_> = mine.applications.iter().map(|a| (a.status(), a.job_id.clone())).collect();
    let expected = [(ApplicationStatus::Interviewed, 2), (ApplicationStatus::Applied, 1)];
    assert_eq!(told, expected.map(|(status, n)| (status, posting_id(n).to_string())));
    let newest = &mine.applications[0];
    assert_eq!(newest.notes.as_deref(), Some("my notes"));
    let applied_at = board.harness.clock.now() - TimeDelta::minutes(4);
    assert_eq!(newest.application_date, Some(timestamp(applied_at)));
    let job = newest.job.as_ref().unwrap();
    assert_eq!((job.id.as_str(), job.title.as_str()), (newest.job_id.as_str(), "Closed since"));
    assert_eq!((job.source.as_str(), job.employment_type), ("Court Jobs", 2));

    let none = board.applications(member(3), ListMyApplicationsRequest::default()).await.unwrap();
    assert_eq!((none.applications, none.next_page_token), (vec![], String::new()));
}

#[tokio::test]
async fn pages_walk_through_all_of_them() {
    let board = Board::open().await;
    for n in 1..=5 {
        board.put(posting(n, "Clerk")).await;
        board.apply(n, member(1), n, "applied").await;
    }
    let mut seen = Vec::new();
    let mut request = ListMyApplicationsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = board.applications(member(1), request.clone()).await.unwrap();
        seen.extend(page.applications.into_iter().map(|application| application.job_id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| posting_id(n).to_string()));
}

#[tokio::test]
async fn a_visitor_has_none_to_see() {
    let board = Board::open().await;
    let request = board.harness.actors.service("gateway").request(ListMyApplicationsRequest::default()).unwrap();
    let status = board.jobs.clone().list_my_applications(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}

#[tokio::test]
async fn a_page_that_does_not_exist_is_refused() {
    let board = Board::open().await;
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "bm90IGpzb24", "pageToken")] {
        let request = ListMyApplicationsRequest { page_size, page_token: page_token.to_owned() };
        let refused = board.applications(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn nobody_applies_twice() {
    let board = Board::open().await;
    board.put(posting(1, "Clerk")).await;
    board.apply(1, member(1), 1, "applied").await;
    let again = sqlx::raw_sql(
        "insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
        select gen_random_uuid(), posting_id, member_id, 'applied', applied_at, job, job_description
        from jobs.applications",
    );
    let refused = db::Error::from(again.execute(board.harness.pool()).await.unwrap_err());
    assert_eq!(refused.constraint(), Some("applications_member_id_posting_id_key"));
}
