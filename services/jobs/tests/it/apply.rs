//! Applications: creation, changes of status, notes, and the closing of the posting.

use chrono::TimeDelta;
use futures::future::join_all;
use outbox::Changes;
use portia_proto::jobs::{
    ApplicationChanged, ApplicationStatus, ApplyRequest, GetApplicationRequest, GetApplicationResponse, JobApplication,
    ListJobsRequest, UpdateApplicationRequest,
};
use primitives::error::{ErrorKind, StatusDetails};
use prost::Message as _;
use testkit::member;
use uuid::Uuid;

use crate::fixtures::{Fixture, Posting, changes, posting, posting_id};

fn wanted(n: u32, notes: &str, key: Option<&str>) -> ApplyRequest {
    ApplyRequest {
        job_id: posting_id(n).to_string(),
        notes: notes.to_owned(),
        idempotency_key: key.map(str::to_owned),
        ..Default::default()
    }
}

fn kind_and_reason(refused: &StatusDetails) -> (ErrorKind, &str) {
    (refused.kind, refused.reason.as_str())
}

async fn whole(fixture: &Fixture, who: Uuid, id: &str) -> Result<GetApplicationResponse, StatusDetails> {
    let request = GetApplicationRequest { application_id: id.to_owned() };
    let request = fixture.harness.actors.member(who).request(request).unwrap();
    let answer = fixture.jobs.clone().get_application(request).await;
    answer.map(tonic::Response::into_inner).map_err(|status| StatusDetails::from(&status))
}

/// The history of statuses.
async fn been_through(fixture: &Fixture, who: Uuid, id: &str) -> Vec<ApplicationStatus> {
    whole(fixture, who, id).await.unwrap().history.iter().map(|step| step.status()).collect()
}

fn moved(application: &JobApplication, status: ApplicationStatus) -> UpdateApplicationRequest {
    UpdateApplicationRequest { application_id: application.id.clone(), status: status.into(), ..Default::default() }
}

#[tokio::test]
async fn an_application_contains_the_posting_of_its_time() {
    let fixture = Fixture::empty().await;
    let whole_text = "All of it. ".repeat(100);
    fixture
        .insert_posting(Posting {
            location: Some("Albany, NY"),
            description: &whole_text,
            practice_area: Some("immigration"),
            ..posting(1, "Clerk")
        })
        .await;
    let made = fixture.apply(member(1), wanted(1, "  Request Ana first. \n", None)).await.unwrap();
    assert_eq!((made.status(), made.notes.as_deref()), (ApplicationStatus::Applied, Some("Request Ana first.")));
    let before = made.job.clone().unwrap();
    assert_eq!(
        (before.title.as_str(), before.description.as_str(), before.practice_area),
        ("Clerk", whole_text.as_str(), 5)
    );
    assert_eq!(
        (before.location.as_deref(), before.source.as_str(), before.closed_at),
        (Some("Albany, NY"), "Court Jobs", None)
    );

    let changed = "update jobs.postings set title = 'Other', company = 'Other', description = 'Other', location = null, closed_at = '2026-03-02 10:00Z'";
    fixture.harness.database().run(changed).await;
    let after = whole(&fixture, member(1), &made.id).await.unwrap().application.unwrap();
    let job = after.job.unwrap();
    assert_eq!(
        (job.title, job.company, job.description, job.location),
        (before.title, before.company, before.description, before.location)
    );
    assert!(job.closed_at.is_some() && job.is_applied);
    let listed = fixture.list_applications(member(1), Default::default()).await.unwrap().applications.remove(0);
    assert_eq!(listed.job.unwrap().description, whole_text.chars().take(500).collect::<String>());
}

#[tokio::test]
async fn lists_mark_applied_postings_for_the_applicant_only() {
    let fixture = Fixture::empty().await;
    for n in 1..=3 {
        fixture.insert_posting(posting(n, "Clerk")).await;
    }
    fixture.apply(member(1), wanted(2, "", None)).await.unwrap();
    let list = async |who: Option<Uuid>| {
        let request = match who {
            Some(who) => fixture.harness.actors.member(who).request(ListJobsRequest::default()).unwrap(),
            None => fixture.harness.actors.service("gateway").request(ListJobsRequest::default()).unwrap(),
        };
        let jobs = fixture.jobs.clone().list_jobs(request).await.unwrap().into_inner().jobs;
        jobs.iter().map(|job| job.is_applied).collect::<Vec<_>>()
    };
    assert_eq!(list(Some(member(1))).await, [false, true, false]);
    assert_eq!(list(Some(member(2))).await, [false; 3]);
    assert_eq!(list(None).await, [false; 3]);
    let id = posting_id(2).to_string();
    assert!(fixture.get_job(Some(member(1)), &id).await.unwrap().is_applied);
    assert!(!fixture.get_job(Some(member(2)), &id).await.unwrap().is_applied);
    assert!(!fixture.get_job(None, &id).await.unwrap().is_applied);
}

#[tokio::test]
async fn a_member_applies_once_and_to_open_postings_only() {
    let fixture = Fixture::empty().await;
    let now = fixture.harness.clock.now();
    fixture.insert_posting(posting(1, "Open")).await;
    fixture.insert_posting(Posting { closed: true, ..posting(2, "Closed") }).await;
    fixture.insert_posting(Posting { deadline: Some(now), ..posting(3, "Over") }).await;
    fixture.apply(member(1), wanted(1, "", None)).await.unwrap();
    let again = fixture.apply(member(1), wanted(1, "", None)).await.unwrap_err();
    assert_eq!(
        (kind_and_reason(&again), again.message.as_str()),
        ((ErrorKind::Conflict, "ALREADY_APPLIED"), "You have already applied for this job")
    );
    for n in [2, 3] {
        let closed = fixture.apply(member(1), wanted(n, "", None)).await.unwrap_err();
        assert_eq!(
            (kind_and_reason(&closed), closed.message.as_str()),
            ((ErrorKind::Conflict, "JOB_CLOSED"), "This job is no longer open")
        );
    }
    let unknown = fixture.apply(member(1), wanted(9, "", None)).await.unwrap_err();
    assert_eq!(kind_and_reason(&unknown), (ErrorKind::NotFound, "JOB_NOT_FOUND"));
    fixture.apply(member(2), wanted(1, "", None)).await.unwrap();
    assert_eq!(fixture.count("select count(*) from jobs.applications").await, 2);
    // A second application is refused as such, also after the posting has closed.
    fixture.harness.database().run("update jobs.postings set closed_at = '2026-03-02 09:00Z'").await;
    assert_eq!(fixture.apply(member(1), wanted(1, "", None)).await.unwrap_err().reason, "ALREADY_APPLIED");
}

#[tokio::test]
async fn a_repeated_key_returns_the_first_application() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    fixture.insert_posting(posting(2, "Judge")).await;
    let first = fixture.apply(member(1), wanted(1, "Once", Some("k"))).await.unwrap();
    fixture.update_application(member(1), moved(&first, ApplicationStatus::Offered)).await.unwrap();
    let again = fixture.apply(member(1), wanted(1, "Once", Some("k"))).await.unwrap();
    assert_eq!((again.status(), again.id), (ApplicationStatus::Offered, first.id));
    for other in [wanted(1, "Twice", Some("k")), wanted(2, "Once", Some("k"))] {
        assert_eq!(fixture.apply(member(1), other).await.unwrap_err().kind, ErrorKind::KeyReused);
    }
    fixture.apply(member(2), wanted(1, "Once", Some("k"))).await.expect("a key is its member's");
    let refused = fixture.apply(member(1), wanted(1, "Once", Some("another"))).await.unwrap_err();
    assert_eq!(refused.reason, "ALREADY_APPLIED");
    fixture.harness.clock.advance(TimeDelta::days(1));
    let forgotten = fixture.apply(member(1), wanted(2, "", Some("k"))).await.unwrap();
    assert_eq!(forgotten.job_id, posting_id(2).to_string());
}

#[tokio::test]
async fn concurrent_requests_create_one_application() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let plain = join_all((0..20).map(|_| fixture.apply(member(1), wanted(1, "", None)))).await;
    assert_eq!(plain.iter().filter(|made| made.is_ok()).count(), 1);
    assert!(plain.iter().filter_map(|made| made.as_ref().err()).all(|refused| refused.reason == "ALREADY_APPLIED"));
    let keyed = join_all((0..20).map(|_| fixture.apply(member(2), wanted(1, "", Some("k"))))).await;
    let mut ids: Vec<String> = keyed.into_iter().map(|made| made.unwrap().id).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(fixture.count("select count(*) from jobs.applications").await, 2);
    assert_eq!(fixture.count("select count(*) from jobs.application_history").await, 2);
}

#[tokio::test]
async fn an_application_concurrent_with_the_closing_is_refused_or_notified() {
    let fixture = Fixture::empty().await;
    let (pool, clock) = (fixture.harness.pool(), &fixture.harness.clock);
    for n in 1..=30 {
        // Applying sees the clock before its deadline, closing after it.
        fixture
            .insert_posting(Posting { deadline: Some(clock.now() + TimeDelta::seconds(1)), ..posting(n, "Clerk") })
            .await;
        let late = primitives::clock::Clock::fixed(clock.now() + TimeDelta::seconds(2));
        let late = Changes { clock: late, ..changes(&fixture.harness) };
        let (applied, closed) =
            tokio::join!(fixture.apply(member(1), wanted(n, "", None)), jobs::expiry::close_expired(pool, &late),);
        assert_eq!(closed.unwrap(), 1);
        let facts = fixture.count("select count(*) from jobs.outbox where kind like '%AppliedPostingClosed'").await;
        fixture.harness.database().run("delete from jobs.outbox").await;
        match applied {
            Ok(_) => assert_eq!(facts, 1, "applied without a notification"),
            Err(refused) => assert_eq!((refused.reason.as_str(), facts), ("JOB_CLOSED", 0)),
        }
    }
}

#[tokio::test]
async fn every_change_of_status_is_in_the_history() {
    use ApplicationStatus::{Accepted, Applied, Interviewed, Offered, Rejected, Withdrawn};
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let made = fixture.apply(member(1), wanted(1, "", None)).await.unwrap();
    let path = [Interviewed, Offered, Accepted, Rejected, Withdrawn, Applied, Withdrawn];
    for status in path {
        // An unchanged status adds no entry.
        for _ in 0..2 {
            assert_eq!(fixture.update_application(member(1), moved(&made, status)).await.unwrap().status(), status);
        }
    }
    assert_eq!(been_through(&fixture, member(1), &made.id).await, [&[Applied][..], &path].concat());
    let history = whole(&fixture, member(1), &made.id).await.unwrap().history;
    let mut moments: Vec<_> = history.iter().map(|step| step.at.map(|at| (at.seconds, at.nanos))).collect();
    let unsorted = moments.clone();
    moments.sort();
    moments.dedup();
    assert_eq!(moments, unsorted, "no two at the same time, though the clock stands still");
}

#[tokio::test]
async fn notes_are_set_kept_and_cleared() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let made = fixture.apply(member(1), wanted(1, " ", None)).await.unwrap();
    assert_eq!(made.notes, None);
    let write = async |notes: Option<&str>, status: ApplicationStatus| {
        let notes = notes.map(str::to_owned);
        let request = UpdateApplicationRequest {
            application_id: made.id.clone(),
            status: status.into(),
            notes,
            ..Default::default()
        };
        fixture.update_application(member(1), request).await.unwrap().notes
    };
    let most = "ñ".repeat(4_000);
    assert_eq!(write(Some(&most), ApplicationStatus::Unspecified).await, Some(most.clone()));
    assert_eq!(write(None, ApplicationStatus::Offered).await, Some(most));
    assert_eq!(write(Some("  "), ApplicationStatus::Unspecified).await, None);
    assert_eq!(been_through(&fixture, member(1), &made.id).await.len(), 2);
}

#[tokio::test]
async fn an_application_of_another_member_is_not_found() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let made = fixture.apply(member(1), wanted(1, "", None)).await.unwrap();
    let refused = whole(&fixture, member(2), &made.id).await.unwrap_err();
    assert_eq!(
        (kind_and_reason(&refused), refused.message.as_str()),
        ((ErrorKind::NotFound, "APPLICATION_NOT_FOUND"), "Application not found")
    );
    let refused = fixture.update_application(member(2), moved(&made, ApplicationStatus::Rejected)).await.unwrap_err();
    assert_eq!(kind_and_reason(&refused), (ErrorKind::NotFound, "APPLICATION_NOT_FOUND"));
    assert_eq!(been_through(&fixture, member(1), &made.id).await.len(), 1);
    let visitor = fixture.harness.actors.service("gateway");
    let code = |status: tonic::Status| status.code();
    let apply = fixture.jobs.clone().apply(visitor.request(wanted(1, "", None)).unwrap()).await.unwrap_err();
    let read = GetApplicationRequest { application_id: made.id.clone() };
    let read = fixture.jobs.clone().get_application(visitor.request(read).unwrap()).await.unwrap_err();
    let change = moved(&made, ApplicationStatus::Rejected);
    let change = fixture.jobs.clone().update_application(visitor.request(change).unwrap()).await.unwrap_err();
    assert_eq!([apply, read, change].map(code), [tonic::Code::Unauthenticated; 3]);
}

#[tokio::test]
async fn concurrent_updates_are_serialised_in_the_history() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let made = fixture.apply(member(1), wanted(1, "", None)).await.unwrap();
    let path = [ApplicationStatus::Interviewed, ApplicationStatus::Offered, ApplicationStatus::Rejected];
    let changes = (0..24).map(|n| fixture.update_application(member(1), moved(&made, path[n % 3])));
    assert!(join_all(changes).await.iter().all(Result::is_ok));
    let history = been_through(&fixture, member(1), &made.id).await;
    assert!(history.windows(2).all(|pair| pair[0] != pair[1]), "{history:?}");
    let now = whole(&fixture, member(1), &made.id).await.unwrap().application.unwrap();
    assert_eq!(history.last(), Some(&now.status()));
}

#[tokio::test]
async fn only_applications_without_a_result_are_notified_of_the_closing() {
    use ApplicationStatus::{Accepted, Applied, Interviewed, Offered, Rejected, Withdrawn};
    let fixture = Fixture::empty().await;
    let deadline = fixture.harness.clock.now() + TimeDelta::hours(1);
    fixture.insert_posting(Posting { deadline: Some(deadline), ..posting(1, "Clerk") }).await;
    for (n, status) in (1..).zip([Applied, Interviewed, Offered, Accepted, Rejected, Withdrawn]) {
        let made = fixture.apply(member(n), wanted(1, "", None)).await.unwrap();
        fixture.update_application(member(n), moved(&made, status)).await.unwrap();
    }
    fixture.harness.clock.advance(TimeDelta::hours(1));
    jobs::expiry::close_expired(fixture.harness.pool(), &changes(&fixture.harness)).await.unwrap();
    let payloads: Vec<Vec<u8>> =
        sqlx::query_scalar("select payload from jobs.outbox where kind like '%AppliedPostingClosed' order by id")
            .fetch_all(fixture.harness.pool())
            .await
            .unwrap();
    let mut published: Vec<_> = payloads
        .iter()
        .map(|payload| <portia_proto::jobs::AppliedPostingClosed as prost::Message>::decode(&payload[..]).unwrap())
        .map(|fact| (fact.member_id, fact.job_id, fact.title))
        .collect();
    published.sort();
    let expected = [1, 2].map(|n| (member(n).to_string(), posting_id(1).to_string(), "Clerk".to_owned()));
    assert_eq!(published, expected);
}

#[tokio::test]
async fn an_application_and_its_changes_are_published_to_the_member() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let application = fixture.apply(member(1), wanted(1, "", None)).await.unwrap();
    let withdrawal = moved(&application, ApplicationStatus::Withdrawn);
    fixture.update_application(member(1), withdrawal.clone()).await.unwrap();
    fixture.update_application(member(2), withdrawal).await.unwrap_err();
    let payloads: Vec<Vec<u8>> =
        sqlx::query_scalar("select payload from jobs.outbox where kind like '%ApplicationChanged' order by id")
            .fetch_all(fixture.harness.pool())
            .await
            .unwrap();
    let changed = ApplicationChanged { application_id: application.id, member_id: member(1).to_string() };
    let facts: Vec<_> =
        payloads.iter().map(|payload| ApplicationChanged::decode(payload.as_slice()).unwrap()).collect();
    assert_eq!(facts, [changed.clone(), changed]);
}
