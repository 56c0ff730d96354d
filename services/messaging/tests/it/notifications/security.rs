//! Security notices: once for each fact, always on, with the browser that made the change.

use chrono::TimeDelta;
use portia_proto::{
    auth::{Browser, SecurityNoticeCause, SecurityNoticeCreated},
    messaging::{ExportMemberRequest, NotificationKind, PushTopic, SecurityOrigin},
};
use primitives::clock::timestamp;
use serde_json::{Value, json};
use testkit::member;

use super::entity_id;
use crate::{
    fixtures::{Fixture, reason},
    push,
};

impl Fixture {
    pub async fn publish_notice(&self, notice: &SecurityNoticeCreated) {
        self.harness.wait_until_applied("auth", self.auth.publish(member(1), notice)).await;
    }
}

/// Creates a notice of member 1, two minutes old.
fn notice(inbox: &Fixture, n: u128, cause: SecurityNoticeCause) -> SecurityNoticeCreated {
    SecurityNoticeCreated {
        notice_id: entity_id(n).to_string(),
        member_id: member(1).to_string(),
        cause: cause.into(),
        at: Some(timestamp(inbox.harness.clock.now() - TimeDelta::minutes(2))),
        browser: Some(Browser { user_agent: "Firefox".to_owned(), address: "192.0.2.7".to_owned() }),
        session_id: None,
        passkeys: Vec::new(),
    }
}

#[tokio::test]
async fn a_notice_is_one_notification_with_its_origin() {
    let inbox = Fixture::new().await;
    let passkeys = vec!["Phone".to_owned(), "Laptop".to_owned()];
    let reset =
        SecurityNoticeCreated { passkeys: passkeys.clone(), ..notice(&inbox, 1, SecurityNoticeCause::PasswordReset) };
    for _ in 0..2 {
        inbox.publish_notice(&reset).await;
    }
    let listed = inbox.list_notifications(1).await;
    let [shown] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((shown.kind(), shown.subject_name.as_deref()), (NotificationKind::Security, Some("password_reset")));
    let origin =
        SecurityOrigin { user_agent: "Firefox".to_owned(), address: "192.0.2.7".to_owned(), at: reset.at, passkeys };
    assert_eq!((shown.origin.as_ref(), shown.subject_id.as_str()), (Some(&origin), reset.notice_id.as_str()));
    assert_eq!(
        (inbox.describe_notifications(1).await, inbox.count_changes(1).await),
        (vec!["Security by  (0) !".to_owned()], 1)
    );
    assert_eq!(inbox.list_notifications(2).await, []);

    let unknown = SecurityNoticeCreated { browser: None, ..notice(&inbox, 2, SecurityNoticeCause::NewBrowser) };
    inbox.publish_notice(&unknown).await;
    let origin = inbox.list_notifications(1).await.swap_remove(0).origin.unwrap();
    assert_eq!((origin.user_agent.as_str(), origin.address.as_str()), ("", ""));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn every_cause_has_a_name_and_an_unknown_one_is_skipped() {
    let inbox = Fixture::new().await;
    for cause in 0..=16 {
        let known = SecurityNoticeCause::PasswordChanged;
        let fact = SecurityNoticeCreated { cause, ..notice(&inbox, 10 + u128::try_from(cause).unwrap(), known) };
        inbox.publish_notice(&fact).await;
    }
    let names: Vec<String> =
        inbox.list_notifications(1).await.into_iter().rev().filter_map(|shown| shown.subject_name).collect();
    let expected = [
        "password_changed",
        "password_reset",
        "new_browser",
        "session_ended",
        "signed_out_everywhere",
        "recovery_codes_renewed",
        "passkey_created",
        "passkey_removed",
        "totp_added",
        "totp_removed",
        "totp_removed_by_operator",
        "sessions_revoked_by_operator",
        "passkeys_removed_by_operator",
        "suspension_overturned",
    ];
    assert_eq!(names, expected);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_notice_cannot_be_switched_off() {
    let inbox = Fixture::new().await;
    let off = inbox.set_switches(1, &[(NotificationKind::Security, false)]).await;
    assert_eq!(reason(off), "INVALID");
    // A row that an earlier version or a mistake may have left.
    let row = format!("insert into messaging.notification_switches values ('{}', 'security', false)", member(1));
    inbox.harness.database().run(row).await;
    inbox.publish_notice(&notice(&inbox, 1, SecurityNoticeCause::NewBrowser)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["Security by  (0) !"]);
}

#[tokio::test]
async fn a_notice_is_pushed_whatever_the_topics_are_but_not_to_its_own_browser() {
    let (inbox, mut service) = push::start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &[PushTopic::Reminders]).await.unwrap();
    let other = service.browser(2);
    inbox.subscribe(2, &other, &push::ALL_TOPICS).await.unwrap();
    // The session of a member has the id of the member in these tests.
    let own = SecurityNoticeCreated {
        session_id: Some(member(1).to_string()),
        ..notice(&inbox, 1, SecurityNoticeCause::PasswordChanged)
    };
    inbox.publish_notice(&own).await;
    assert_eq!(inbox.count_rows("push_deliveries").await, 0);
    inbox.publish_notice(&notice(&inbox, 2, SecurityNoticeCause::NewBrowser)).await;
    inbox.wait_until_pushed().await;
    let shown = inbox.list_notifications(1).await.swap_remove(0);
    let expected = json!({ "kind": "notification", "notificationId": shown.id, "language": "fil" });
    assert_eq!(browser.decrypt(&service.next().await), expected);
    assert!(service.arrived().is_empty(), "not for another member");
}

#[tokio::test]
async fn a_notice_is_exported_and_erased_with_its_member() {
    let inbox = Fixture::new().await;
    inbox.publish_notice(&notice(&inbox, 1, SecurityNoticeCause::SessionEnded)).await;
    let request = inbox.as_member(1, ExportMemberRequest {});
    let mut stream = inbox.messaging.clone().export_member(request).await.unwrap().into_inner();
    let mut exported = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        if record.section == "notifications" {
            exported.push(serde_json::from_str::<Value>(&record.json).unwrap());
        }
    }
    let [record] = exported.as_slice() else { panic!("{exported:?}") };
    assert_eq!((&record["kind"], &record["detail"]), (&json!("security"), &json!("session_ended")));
    assert_eq!((&record["userAgent"], &record["address"]), (&json!("Firefox"), &json!("192.0.2.7")));
    assert!(record["happenedAt"].is_string());

    inbox.erase(1).await;
    assert_eq!(inbox.count_rows("notifications").await, 0);
}
