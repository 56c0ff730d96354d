//! Subscriptions end with their session and account, and are part of the export.

use portia_proto::{auth::SessionEnded, messaging::ExportMemberRequest};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use testkit::member;

use super::{ALL_TOPICS, start};
use crate::fixtures::{TIMEOUT, reason};

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
async fn a_subscription_after_the_end_of_its_session_is_refused() {
    let (inbox, service) = start().await;
    let ended = SessionEnded { member_id: member(1).to_string(), session_id: member(1).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(1), &ended)).await;
    assert_eq!(reason(inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await), "SESSION_ENDED");
    inbox.subscribe(2, &service.browser(2), &ALL_TOPICS).await.unwrap();
    assert_eq!(inbox.count_rows("push_subscriptions").await, 1);
    // The next end of a session deletes the note of the first one.
    inbox.advance_clock(3_601);
    let ended = SessionEnded { member_id: member(2).to_string(), session_id: member(2).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(2), &ended)).await;
    assert_eq!(inbox.count_rows("ended_sessions").await, 1);
}

#[tokio::test]
async fn a_session_that_ends_during_a_subscription_ends_it_too() {
    let (inbox, service) = start().await;
    let waiting = async |expected: i64| {
        let sql = "select count(*) from pg_locks l join pg_database d on d.oid = l.database
            where not l.granted and l.locktype = 'advisory' and d.datname = current_database()";
        let reached = async {
            while sqlx::query_scalar::<_, i64>(sql).fetch_one(inbox.harness.pool()).await.unwrap() != expected {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(TIMEOUT, reached).await.unwrap_or_else(|_| panic!("{expected} transactions wait"));
    };
    // The subscription waits for another one of the member, and the end of the session waits for the subscription.
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    let lock = format!("select from pg_advisory_xact_lock(hashtextextended('messaging.push {}', 0))", member(1));
    sqlx::raw_sql(AssertSqlSafe(lock)).execute(&mut *holder).await.unwrap();
    let browser = service.browser(1);
    let ended = async {
        waiting(1).await;
        let ended = SessionEnded { member_id: member(1).to_string(), session_id: member(1).to_string() };
        let seq = inbox.auth.publish(member(1), &ended);
        waiting(2).await;
        holder.rollback().await.unwrap();
        inbox.harness.wait_until_applied("auth", seq).await;
    };
    let (subscribed, ()) = tokio::join!(inbox.subscribe(1, &browser, &ALL_TOPICS), ended);
    subscribed.unwrap();
    assert_eq!(inbox.count_rows("push_subscriptions").await, 0);
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
