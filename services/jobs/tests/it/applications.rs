//! The list of a member's applications, newest first, also of closed postings.

use chrono::TimeDelta;
use portia_proto::jobs::{ApplicationStatus, ListMyApplicationsRequest};
use primitives::{clock::timestamp, error::ErrorKind};
use testkit::member;

use crate::fixtures::{Fixture, Posting, fields, posting, posting_id};

#[tokio::test]
async fn a_member_lists_own_applications_newest_first() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture
        .insert_posting(Posting { closed: true, employment_type: Some("full-time"), ..posting(2, "Closed since") })
        .await;
    fixture.insert_application(5, member(1), 1, "applied").await;
    fixture.insert_application(4, member(1), 2, "interviewed").await;
    fixture.insert_application(3, member(2), 1, "offered").await;

    let mine = fixture.list_applications(member(1), ListMyApplicationsRequest::default()).await.unwrap();
    let actual: Vec<_> = mine.applications.iter().map(|a| (a.status(), a.job_id.clone())).collect();
    let expected = [(ApplicationStatus::Interviewed, 2), (ApplicationStatus::Applied, 1)];
    assert_eq!(actual, expected.map(|(status, n)| (status, posting_id(n).to_string())));
    let newest = &mine.applications[0];
    assert_eq!(newest.notes.as_deref(), Some("my notes"));
    let applied_at = fixture.harness.clock.now() - TimeDelta::minutes(4);
    assert_eq!(newest.application_date, Some(timestamp(applied_at)));
    let job = newest.job.as_ref().unwrap();
    assert_eq!((job.id.as_str(), job.title.as_str()), (newest.job_id.as_str(), "Closed since"));
    assert_eq!((job.source.as_str(), job.employment_type), ("Court Jobs", 2));

    let none = fixture.list_applications(member(3), ListMyApplicationsRequest::default()).await.unwrap();
    assert_eq!((none.applications, none.next_page_token), (vec![], String::new()));
}

#[tokio::test]
async fn pages_cover_all_applications() {
    let fixture = Fixture::empty().await;
    for n in 1..=5 {
        fixture.insert_posting(posting(n, "Clerk")).await;
        fixture.insert_application(n, member(1), n, "applied").await;
    }
    let mut seen = Vec::new();
    let mut request = ListMyApplicationsRequest { page_size: 2, ..Default::default() };
    loop {
        let page = fixture.list_applications(member(1), request.clone()).await.unwrap();
        seen.extend(page.applications.into_iter().map(|application| application.job_id));
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    assert_eq!(seen, [1, 2, 3, 4, 5].map(|n| posting_id(n).to_string()));
}

#[tokio::test]
async fn a_visitor_cannot_list_applications() {
    let fixture = Fixture::empty().await;
    let request = fixture.harness.actors.service("gateway").request(ListMyApplicationsRequest::default()).unwrap();
    let status = fixture.jobs.clone().list_my_applications(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
}

#[tokio::test]
async fn invalid_page_parameters_name_the_field() {
    let fixture = Fixture::empty().await;
    for (page_size, page_token, field) in [(-1, "", "pageSize"), (0, "bm90IGpzb24", "pageToken")] {
        let request = ListMyApplicationsRequest { page_size, page_token: page_token.to_owned() };
        let refused = fixture.list_applications(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec![field]));
    }
}

#[tokio::test]
async fn a_second_application_is_refused() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture.insert_application(1, member(1), 1, "applied").await;
    let again = sqlx::raw_sql(
        "insert into jobs.applications (id, posting_id, member_id, status, applied_at, job, job_description)
        select gen_random_uuid(), posting_id, member_id, 'applied', applied_at, job, job_description
        from jobs.applications",
    );
    let refused = db::Error::from(again.execute(fixture.harness.pool()).await.unwrap_err());
    assert_eq!(refused.constraint(), Some("applications_member_id_posting_id_key"));
}
