//! Subscriptions end with their session and account, and are part of the export.

use portia_proto::{auth::SessionEnded, messaging::ExportMemberRequest};
use serde_json::{Value, json};
use testkit::member;

use super::{ALL_TOPICS, start};
use crate::fixtures::reason;

#[tokio::test]
async fn the_end_of_a_session_deletes_its_subscription() {
    let (inbox, mut service) = start().await;
    let id = inbox.connect_pair(2, 1).await;
    inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    inbox.subscribe(2, &service.browser(2), &ALL_TOPICS).await.unwrap();
    inbox.send(2, &id, "One").await.unwrap();
    // The session of a member has the id of the member in these tests.
    let ended = SessionEnded { member_id: member(1).to_string(), session_id: member(1).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(1), &ended)).await;
    assert_eq!(inbox.count_rows("push_deliveries").await, 0);
    assert_eq!(inbox.push_settings(1).await.subscriptions, []);
    assert_eq!(inbox.push_settings(2).await.subscriptions.len(), 1);
    inbox.wait_until_pushed().await;
    assert!(service.arrived().is_empty());
}

#[tokio::test]
async fn a_closed_account_has_no_subscription() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    inbox.send(2, &id, "One").await.unwrap();
    inbox.apply_closure(1).await;
    assert_eq!(inbox.count_rows("push_subscriptions").await, 0);
    // The token of a member outlives the account by a minute.
    assert_eq!(reason(inbox.subscribe(1, &browser, &ALL_TOPICS).await), "PUSH_SUBSCRIPTIONS_FULL");
    inbox.wait_until_pushed().await;
    assert!(service.arrived().is_empty());
}

#[tokio::test]
async fn an_erased_member_leaves_no_subscription() {
    let (inbox, service) = start().await;
    inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    inbox.send(2, &id, "One").await.unwrap();
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
    assert_eq!(inbox.count_rows("push_deliveries").await, 0);
}

#[tokio::test]
async fn the_export_lists_subscriptions_without_their_secrets() {
    let (inbox, service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    inbox.subscribe(2, &service.browser(2), &ALL_TOPICS).await.unwrap();
    let request = inbox.as_member(1, ExportMemberRequest {});
    let mut stream = inbox.messaging.clone().export_member(request).await.unwrap().into_inner();
    let mut records = Vec::new();
    while let Some(record) = stream.message().await.unwrap() {
        assert!(!record.json.contains(&browser.endpoint));
        records.push((record.section, serde_json::from_str::<Value>(&record.json).unwrap()));
    }
    let expected = json!({
        "browser": "Firefox on Linux",
        "language": "fil",
        "topics": ["messages", "connections", "posts", "reminders"],
        "createdAt": "2026-03-02T09:00:00Z",
        "lastSuccessAt": null,
    });
    assert_eq!(records, [("push-subscriptions".to_owned(), expected)]);
}
