//! Closed postings and unsent applications: notifications without an actor that are never withdrawn.

use portia_proto::{
    jobs::{ApplicationDue, AppliedPostingClosed},
    messaging::{NotificationKind, mark_notifications_read_request::Selection},
};
use prost::{Message, Name};
use prost_types::Timestamp;
use testkit::member;

use super::{entity_id, post_reacted};
use crate::fixtures::Fixture;

const CLOSED: NotificationKind = NotificationKind::PostingClosed;

fn posting_closed(application: u128, who: u128, title: &str) -> AppliedPostingClosed {
    AppliedPostingClosed {
        application_id: entity_id(application).to_string(),
        member_id: member(who).to_string(),
        job_id: entity_id(90).to_string(),
        title: title.to_owned(),
    }
}

fn application_due(application: u128, who: u128, deadline: i64) -> ApplicationDue {
    ApplicationDue {
        application_id: entity_id(application).to_string(),
        member_id: member(who).to_string(),
        job_id: entity_id(90).to_string(),
        title: "Staff Attorney".to_owned(),
        deadline: Some(Timestamp { seconds: deadline, nanos: 0 }),
        deadline_date: None,
    }
}

impl Fixture {
    async fn publish_jobs<M: Message + Name>(&self, fact: &M) {
        self.harness.wait_until_applied("jobs", self.jobs.publish("jobs", fact)).await;
    }
}

#[tokio::test]
async fn an_applicant_is_notified_once_of_a_closed_posting() {
    let inbox = Fixture::new().await;
    for _ in 0..2 {
        inbox.publish_jobs(&posting_closed(1, 1, "Staff Attorney")).await;
    }
    inbox.publish_jobs(&posting_closed(2, 1, "Staff Attorney")).await;
    inbox.publish_jobs(&posting_closed(3, 2, "Law Clerk")).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostingClosed by  (0) !", "PostingClosed by  (0) !"]);
    let notification = inbox.list_notifications(1).await.remove(1);
    assert_eq!(
        (notification.subject_id, notification.subject_name.as_deref()),
        (entity_id(1).to_string(), Some("Staff Attorney"))
    );
    assert_eq!((inbox.count_changes(1).await, inbox.count_changes(2).await), (2, 1));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_closed_posting_notification_can_be_marked_as_read() {
    let inbox = Fixture::new().await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.publish_jobs(&posting_closed(1, 1, "Staff Attorney")).await;
    let id = inbox.list_notifications(1).await.remove(0).id;
    inbox.mark_notifications(1, Selection::NotificationId(id)).await.unwrap();
    assert_eq!(inbox.describe_notifications(1).await, ["PostingClosed by  (0)", "PostLiked by 2 (1) !"]);
    inbox.publish_jobs(&posting_closed(1, 1, "Staff Attorney")).await;
    assert_eq!(
        inbox.describe_notifications(1).await,
        ["PostingClosed by  (0)", "PostLiked by 2 (1) !"],
        "it does not return"
    );
    inbox.publish_jobs(&posting_closed(2, 1, "Law Clerk")).await;
    inbox.mark_notifications(1, Selection::UpTo(Timestamp { seconds: 253_000_000_000, nanos: 0 })).await.unwrap();
    assert_eq!(inbox.count_unread(1).await, 0);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn closed_posting_notifications_are_on_by_default() {
    let inbox = Fixture::new().await;
    inbox.set_switches(1, &[(CLOSED, false)]).await.unwrap();
    inbox.publish_jobs(&posting_closed(1, 1, "Staff Attorney")).await;
    assert!(inbox.describe_notifications(1).await.is_empty());
    assert_eq!(inbox.count_changes(1).await, 0);
    inbox.set_switches(1, &[(CLOSED, true)]).await.unwrap();
    inbox.publish_jobs(&posting_closed(2, 1, "Law Clerk")).await;
    assert_eq!(inbox.describe_notifications(1).await.len(), 1);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_closed_posting_notification_is_erased_with_its_recipient_only() {
    let inbox = Fixture::new().await;
    inbox.publish_jobs(&posting_closed(1, 1, "Staff Attorney")).await;
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    inbox.block(1, 2).await;
    inbox.apply_closure(3).await;
    inbox.erase(2).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostingClosed by  (0) !"]);
    inbox.assert_notification_invariants().await;
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_posting_title_of_any_length_is_accepted() {
    let inbox = Fixture::new().await;
    inbox.publish_jobs(&posting_closed(1, 1, &"\u{f1}".repeat(5_000))).await;
    inbox.publish_jobs(&posting_closed(2, 1, "")).await;
    let names: Vec<_> =
        inbox.list_notifications(1).await.into_iter().map(|notification| notification.subject_name).collect();
    assert_eq!(names, [None, Some("\u{f1}".repeat(200))]);
}

/// Returns the deadlines of the notifications, newest first.
async fn deadlines(inbox: &Fixture, who: u128) -> Vec<Option<i64>> {
    inbox.list_notifications(who).await.iter().map(|it| it.due_at.map(|at| at.seconds)).collect()
}

#[tokio::test]
async fn a_reminder_contains_the_deadline_and_the_second_one_replaces_the_first() {
    let inbox = Fixture::new().await;
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_000)).await;
    inbox.publish_jobs(&posting_closed(2, 1, "Law Clerk")).await;
    assert_eq!(inbox.describe_notifications(1).await, ["PostingClosed by  (0) !", "ApplicationDue by  (0) !"]);
    assert_eq!(deadlines(&inbox, 1).await, [None, Some(1_800_000_000)]);
    let reminder = inbox.list_notifications(1).await.remove(1);
    assert_eq!(
        (reminder.subject_id, reminder.subject_name.as_deref()),
        (entity_id(1).to_string(), Some("Staff Attorney"))
    );

    // Unread or read, the second reminder is one unread notification at the top.
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_001)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["ApplicationDue by  (0) !", "PostingClosed by  (0) !"]);
    assert_eq!(deadlines(&inbox, 1).await, [Some(1_800_000_001), None]);
    inbox.mark_all_read(1).await;
    assert_eq!(inbox.describe_notifications(1).await, ["ApplicationDue by  (0)", "PostingClosed by  (0)"]);
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_002)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["ApplicationDue by  (0) !", "PostingClosed by  (0)"]);
    inbox.publish_jobs(&application_due(3, 1, 1_800_000_003)).await;
    assert_eq!(inbox.count_unread(1).await, 2, "another application is another notification");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_deadline_that_is_a_date_stays_one() {
    let inbox = Fixture::new().await;
    let dated =
        |date: &str| ApplicationDue { deadline_date: Some(date.to_owned()), ..application_due(1, 1, 1_800_000_000) };
    let dates = async || -> Vec<Option<String>> {
        inbox.list_notifications(1).await.into_iter().map(|notification| notification.due_date).collect()
    };
    inbox.publish_jobs(&dated("2027-01-15")).await;
    assert_eq!(dates().await, [Some("2027-01-15".to_owned())]);
    inbox.publish_jobs(&dated("2027-01-22")).await;
    assert_eq!(dates().await, [Some("2027-01-22".to_owned())], "an extended deadline");
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_000)).await;
    assert_eq!(dates().await, [None], "now a time");
    inbox.publish_jobs(&dated("soon")).await;
    assert_eq!(dates().await, [None], "the time is shown");
}

#[tokio::test]
async fn reminders_are_on_by_default_and_can_be_turned_off() {
    let inbox = Fixture::new().await;
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_000)).await;
    inbox.set_switches(1, &[(NotificationKind::ApplicationDue, false)]).await.unwrap();
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_001)).await;
    inbox.publish_jobs(&application_due(2, 1, 1_800_000_002)).await;
    assert_eq!(deadlines(&inbox, 1).await, [Some(1_800_000_000)]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_reminder_is_erased_with_its_recipient() {
    let inbox = Fixture::new().await;
    inbox.publish_jobs(&application_due(1, 1, 1_800_000_000)).await;
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
}
