//! Whether an application was sent to the employer, and the reminders before the deadline.

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use portia_proto::jobs::{
    ApplicationDue, ApplicationStatus, ApplyRequest, JobApplication, SentToEmployer, UpdateApplicationRequest,
};
use primitives::{clock::timestamp, error::ErrorKind};
use prost::Message as _;
use testkit::member;

use crate::fixtures::{Fixture, Posting, changes, fields, posting, posting_id};

fn application_for(n: u32, sent: SentToEmployer) -> ApplyRequest {
    ApplyRequest { job_id: posting_id(n).to_string(), sent_to_employer: sent.into(), ..Default::default() }
}

fn answer(application: &JobApplication, sent: SentToEmployer) -> UpdateApplicationRequest {
    UpdateApplicationRequest {
        application_id: application.id.clone(),
        sent_to_employer: sent.into(),
        ..Default::default()
    }
}

impl Fixture {
    /// Posting `n`, whose applications end in `left`.
    async fn insert_posting_ending_in(&self, n: u32, left: TimeDelta) -> DateTime<Utc> {
        let deadline = self.harness.clock.now() + left;
        self.insert_posting(Posting { deadline: Some(deadline), ..posting(n, "Staff Attorney") }).await;
        deadline
    }

    async fn remind(&self) -> usize {
        jobs::reminders::remind(self.harness.pool(), &changes(&self.harness)).await.unwrap()
    }

    /// The members reminded so far, oldest first.
    async fn reminders(&self) -> Vec<ApplicationDue> {
        let payloads: Vec<Vec<u8>> =
            sqlx::query_scalar("select payload from jobs.outbox where kind like '%ApplicationDue' order by id")
                .fetch_all(self.harness.pool())
                .await
                .unwrap();
        payloads.iter().map(|payload| ApplicationDue::decode(&payload[..]).unwrap()).collect()
    }
}

#[tokio::test]
async fn an_application_contains_the_answer_of_the_member_and_its_time() {
    let fixture = Fixture::empty().await;
    for n in 1..=3 {
        fixture.insert_posting(posting(n, "Clerk")).await;
    }
    let start = fixture.harness.clock.now();
    for (n, sent, at) in [
        (1, SentToEmployer::Unspecified, None),
        (2, SentToEmployer::NotYet, Some(timestamp(start))),
        (3, SentToEmployer::Yes, Some(timestamp(start))),
    ] {
        let made = fixture.apply(member(1), application_for(n, sent)).await.unwrap();
        assert_eq!((made.sent_to_employer(), made.sent_to_employer_at), (sent, at));
    }
    let mine = fixture.list_applications(member(1), Default::default()).await.unwrap().applications;
    let unsent = mine.iter().find(|application| application.job_id == posting_id(2).to_string()).unwrap();
    assert_eq!(
        (unsent.sent_to_employer(), unsent.sent_to_employer_at),
        (SentToEmployer::NotYet, Some(timestamp(start)))
    );

    // An equal answer keeps its time, and so does a change of something else.
    fixture.harness.clock.advance(TimeDelta::hours(1));
    let later = timestamp(fixture.harness.clock.now());
    let status = UpdateApplicationRequest {
        application_id: unsent.id.clone(),
        status: ApplicationStatus::Interviewed.into(),
        ..Default::default()
    };
    for request in [answer(unsent, SentToEmployer::NotYet), status] {
        let same = fixture.update_application(member(1), request).await.unwrap();
        assert_eq!(
            (same.sent_to_employer(), same.sent_to_employer_at),
            (SentToEmployer::NotYet, Some(timestamp(start)))
        );
    }
    for sent in [SentToEmployer::Yes, SentToEmployer::NotYet] {
        let changed = fixture.update_application(member(1), answer(unsent, sent)).await.unwrap();
        assert_eq!((changed.sent_to_employer(), changed.sent_to_employer_at), (sent, Some(later)));
        assert_eq!(changed.status(), ApplicationStatus::Interviewed);
    }
    let unanswered = mine.iter().find(|application| application.job_id == posting_id(1).to_string()).unwrap();
    let first = fixture.update_application(member(1), answer(unanswered, SentToEmployer::Yes)).await.unwrap();
    assert_eq!(first.sent_to_employer_at, Some(later));
}

#[tokio::test]
async fn an_unknown_answer_is_invalid_and_another_members_application_not_found() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    for bad in [3, -1, i32::MAX] {
        let request = ApplyRequest { sent_to_employer: bad, ..application_for(1, SentToEmployer::Unspecified) };
        let refused = fixture.apply(member(1), request).await.unwrap_err();
        assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["sentToEmployer"]), "{bad}");
    }
    let made = fixture.apply(member(1), application_for(1, SentToEmployer::NotYet)).await.unwrap();
    let request = UpdateApplicationRequest { sent_to_employer: 3, ..answer(&made, SentToEmployer::Yes) };
    let refused = fixture.update_application(member(1), request).await.unwrap_err();
    assert_eq!((refused.kind, fields(&refused)), (ErrorKind::Invalid, vec!["sentToEmployer"]));
    let refused = fixture.update_application(member(2), answer(&made, SentToEmployer::Yes)).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::NotFound);
    let mine = fixture.list_applications(member(1), Default::default()).await.unwrap().applications.remove(0);
    assert_eq!(mine.sent_to_employer(), SentToEmployer::NotYet);
}

#[tokio::test]
async fn the_answer_is_part_of_a_repeated_request() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting(posting(1, "Clerk")).await;
    let keyed = |sent| ApplyRequest { idempotency_key: Some("k".to_owned()), ..application_for(1, sent) };
    let first = fixture.apply(member(1), keyed(SentToEmployer::NotYet)).await.unwrap();
    assert_eq!(fixture.apply(member(1), keyed(SentToEmployer::NotYet)).await.unwrap().id, first.id);
    for other in [SentToEmployer::Yes, SentToEmployer::Unspecified] {
        assert_eq!(fixture.apply(member(1), keyed(other)).await.unwrap_err().kind, ErrorKind::KeyReused);
    }
}

#[tokio::test]
async fn an_unsent_application_is_reminded_of_three_days_and_one_day_before_the_deadline() {
    let fixture = Fixture::empty().await;
    let deadline = fixture.insert_posting_ending_in(1, TimeDelta::days(10)).await;
    let made = fixture.apply(member(1), application_for(1, SentToEmployer::NotYet)).await.unwrap();
    let mut reminded = Vec::new();
    for hours_left in (0..240).rev() {
        fixture.harness.clock.advance(TimeDelta::hours(1));
        if fixture.remind().await > 0 {
            reminded.push(hours_left);
        }
    }
    assert_eq!(reminded, [72, 24]);
    let expected = ApplicationDue {
        application_id: made.id,
        member_id: member(1).to_string(),
        job_id: posting_id(1).to_string(),
        title: "Staff Attorney".to_owned(),
        deadline: Some(timestamp(deadline)),
        deadline_date: None,
    };
    assert_eq!(fixture.reminders().await, [expected.clone(), expected]);
}

#[tokio::test]
async fn a_late_first_reminder_is_left_out_and_an_answer_is_not_followed_by_a_reminder_at_once() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting_ending_in(1, TimeDelta::days(2)).await;
    fixture.insert_posting_ending_in(2, TimeDelta::hours(20)).await;
    fixture.insert_posting_ending_in(3, TimeDelta::minutes(50)).await;
    for n in 1..=3 {
        fixture.apply(member(n.into()), application_for(n, SentToEmployer::NotYet)).await.unwrap();
    }
    fixture.harness.clock.advance(TimeDelta::minutes(45));
    assert_eq!(fixture.remind().await, 0, "within an hour of the answer");
    fixture.harness.clock.advance(TimeDelta::minutes(15));
    assert_eq!(fixture.remind().await, 2);
    assert_eq!(fixture.remind().await, 0);
    fixture.harness.clock.advance(TimeDelta::hours(30));
    assert_eq!(fixture.remind().await, 1, "the last one of the first posting");
    let members: Vec<String> = fixture.reminders().await.into_iter().map(|fact| fact.member_id).collect();
    assert_eq!(members.len(), 3);
    assert!(!members.contains(&member(3).to_string()), "its deadline passed within the hour");
}

#[tokio::test]
async fn sent_unanswered_advanced_and_closed_applications_have_no_reminder() {
    use ApplicationStatus::{Accepted, Applied, Interviewed, Offered, Rejected, Withdrawn};
    let fixture = Fixture::empty().await;
    fixture.insert_posting_ending_in(1, TimeDelta::days(2)).await;
    fixture.insert_posting(posting(2, "Without a deadline")).await;
    let closing = fixture.harness.clock.now() + TimeDelta::days(2);
    fixture.insert_posting(Posting { deadline: Some(closing), ..posting(3, "Closing") }).await;
    for (n, status) in (1..).zip([Applied, Interviewed, Offered, Accepted, Rejected, Withdrawn]) {
        let made = fixture.apply(member(n), application_for(1, SentToEmployer::NotYet)).await.unwrap();
        let status = UpdateApplicationRequest { application_id: made.id, status: status.into(), ..Default::default() };
        fixture.update_application(member(n), status).await.unwrap();
    }
    for (n, posting, sent) in [
        (11, 1, SentToEmployer::Yes),
        (12, 1, SentToEmployer::Unspecified),
        (13, 2, SentToEmployer::NotYet),
        (14, 3, SentToEmployer::NotYet),
    ] {
        fixture.apply(member(n), application_for(posting, sent)).await.unwrap();
    }
    let withdrawn_answer = fixture.apply(member(15), application_for(1, SentToEmployer::NotYet)).await.unwrap();
    fixture.update_application(member(15), answer(&withdrawn_answer, SentToEmployer::Yes)).await.unwrap();
    fixture
        .harness
        .database()
        .run(format!("update jobs.postings set closed_at = now() where id = '{}'", posting_id(3)))
        .await;
    fixture.harness.clock.advance(TimeDelta::hours(2));
    assert_eq!(fixture.remind().await, 1);
    let reminded: Vec<String> = fixture.reminders().await.into_iter().map(|fact| fact.member_id).collect();
    assert_eq!(reminded, [member(1).to_string()]);
    fixture.harness.clock.advance(TimeDelta::days(3));
    assert_eq!(fixture.remind().await, 0, "after the deadline");
}

#[tokio::test]
async fn the_present_deadline_of_the_posting_counts() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting_ending_in(1, TimeDelta::days(2)).await;
    fixture.apply(member(1), application_for(1, SentToEmployer::NotYet)).await.unwrap();
    let extended = fixture.harness.clock.now() + TimeDelta::days(30);
    let extend = format!("update jobs.postings set application_deadline = '{}'", extended.to_rfc3339());
    fixture.harness.database().run(extend).await;
    fixture.harness.clock.advance(TimeDelta::days(1));
    assert_eq!(fixture.remind().await, 0);
    fixture.harness.clock.advance(TimeDelta::days(26));
    assert_eq!(fixture.remind().await, 1);
    assert_eq!(fixture.reminders().await[0].deadline, Some(timestamp(extended)));
}

#[tokio::test]
async fn several_replicas_publish_each_reminder_once() {
    let fixture = Fixture::empty().await;
    fixture.insert_posting_ending_in(1, TimeDelta::days(4)).await;
    // More than three batches.
    let applied = "insert into jobs.applications
            (id, posting_id, member_id, status, applied_at, job, job_description, sent_to_employer, sent_to_employer_at)
        select gen_random_uuid(), p.id, gen_random_uuid(), 'applied', '2026-03-01', '{\"title\": \"Clerk\"}', '', 'not-yet',
            '2026-03-01'
        from jobs.postings p
        cross join generate_series(1, 350)";
    fixture.harness.database().run(applied).await;
    fixture.harness.clock.advance(TimeDelta::days(2));
    let counts = join_all((0..4).map(|_| fixture.remind())).await;
    // Rows that a replica skipped because another one held them are left for the next minute.
    let rest = fixture.remind().await;
    assert_eq!(counts.iter().sum::<usize>() + rest, 350);
    let reminders = fixture.reminders().await;
    let mut applications: Vec<String> = reminders.into_iter().map(|fact| fact.application_id).collect();
    applications.sort();
    applications.dedup();
    assert_eq!(applications.len(), 350);
}
