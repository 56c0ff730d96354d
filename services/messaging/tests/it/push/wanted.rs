//! Which messages and notifications are pushed, and what cancels a push.

use portia_proto::{
    feed::{PostCreated, PostEdited},
    jobs::ApplicationDue,
    messaging::PushTopic,
};
use serde_json::json;
use testkit::member;

use super::{ALL_TOPICS, kinds, start};
use crate::notifications::{entity_id, post_commented, post_created, post_reacted};

#[tokio::test]
async fn a_read_muted_blocked_or_deleted_message_is_not_pushed() {
    let (inbox, mut service) = start().await;
    inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    let read = inbox.send(2, &id, "Read at once").await.unwrap();
    inbox.wait_for_deliveries("true", 1).await;
    inbox.mark_read(1, &id, &read.id).await.unwrap();
    inbox.wait_until_pushed().await;

    let deleted = inbox.send(2, &id, "Deleted at once").await.unwrap();
    inbox.delete_message(2, &id, &deleted.id).await.unwrap();
    inbox.wait_until_pushed().await;

    inbox.send(2, &id, "Muted before it is sent").await.unwrap();
    inbox.mute(1, &id, true).await.unwrap();
    inbox.wait_until_pushed().await;
    inbox.send(2, &id, "Muted").await.unwrap();
    assert_eq!(inbox.count_rows("push_deliveries").await, 0);
    inbox.mute(1, &id, false).await.unwrap();

    inbox.send(2, &id, "Blocked before it is sent").await.unwrap();
    inbox.wait_for_deliveries("true", 1).await;
    inbox.block(1, 2).await;
    inbox.wait_until_pushed().await;
    assert!(service.arrived().is_empty());
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_request_is_pushed_once_without_its_message() {
    let (inbox, mut service) = start().await;
    let browser = service.browser(1);
    inbox.subscribe(1, &browser, &ALL_TOPICS).await.unwrap();
    let id = inbox.open_request(2, 1).await;
    for text in ["One", "Two"] {
        inbox.send(2, &id, text).await.unwrap();
        inbox.wait_until_pushed().await;
    }
    let push = service.next().await;
    assert_eq!(browser.decrypt(&push), json!({ "kind": "request", "conversationId": id, "language": "fil" }));
    assert!(service.arrived().is_empty(), "the second message of a request");

    inbox.accept_request(1, &id).await.unwrap();
    inbox.send(2, &id, "Three").await.unwrap();
    inbox.wait_until_pushed().await;
    assert_eq!(browser.decrypt(&service.next().await)["kind"], "message");
}

#[tokio::test]
async fn the_topics_of_a_browser_decide_what_it_gets() {
    let (inbox, mut service) = start().await;
    let (all, reminders) = (service.browser(1), service.browser(2));
    inbox.subscribe(1, &all, &ALL_TOPICS).await.unwrap();
    inbox.subscribe(1, &reminders, &[PushTopic::Reminders]).await.unwrap();
    let id = inbox.connect_pair(2, 1).await;
    inbox.send(2, &id, "Words").await.unwrap();
    inbox.publish_feed(&post_commented(2, 1, 1, 20)).await;
    // Likes are not pushed.
    inbox.publish_feed(&post_reacted(2, 1, 1)).await;
    let due = ApplicationDue {
        application_id: entity_id(9).to_string(),
        member_id: member(1).to_string(),
        title: "Clerk".to_owned(),
        deadline: Some(primitives::clock::timestamp(inbox.harness.clock.now())),
        ..Default::default()
    };
    inbox.harness.wait_until_applied("jobs", inbox.jobs.publish(member(1), &due)).await;
    inbox.wait_until_pushed().await;
    let arrived = service.arrived();
    let contents = |path: &str| {
        let browser = if path == "1" { &all } else { &reminders };
        let mut contents: Vec<_> =
            arrived.iter().filter(|push| push.path == path).map(|push| browser.decrypt(push)).collect();
        contents.sort_by_key(|content| content["kind"].as_str().map(ToOwned::to_owned));
        contents
    };
    assert_eq!(kinds(&contents("2")), ["notification"]);
    let contents = contents("1");
    // The message, the comment and the reminder.
    assert_eq!(kinds(&contents), ["message", "notification", "notification"]);
    let listed: Vec<String> = inbox.list_notifications(1).await.into_iter().map(|n| n.id).collect();
    for content in &contents[1..] {
        assert!(listed.iter().any(|id| *id == content["notificationId"]), "{content}");
    }
}

#[tokio::test]
async fn a_notification_that_is_read_withdrawn_or_turned_off_is_not_pushed() {
    let (inbox, mut service) = start().await;
    inbox.subscribe(1, &service.browser(1), &ALL_TOPICS).await.unwrap();
    inbox.publish_feed(&post_commented(2, 1, 1, 20)).await;
    inbox.wait_for_deliveries("subject_kind = 'notification'", 1).await;
    inbox.mark_all_read(1).await;
    inbox.wait_until_pushed().await;

    let mentioned_ids = vec![member(1).to_string()];
    inbox.publish_feed(&PostCreated { mentioned_ids: mentioned_ids.clone(), ..post_created(2, 9, None) }).await;
    inbox.wait_for_deliveries("true", 1).await;
    let (post_id, author_id) = (entity_id(9).to_string(), member(2).to_string());
    inbox.publish_feed(&PostEdited { post_id, author_id, unmentioned_ids: mentioned_ids, ..Default::default() }).await;
    inbox.wait_until_pushed().await;

    inbox.publish_feed(&post_commented(3, 2, 1, 21)).await;
    inbox.wait_for_deliveries("true", 1).await;
    inbox.block(1, 3).await;
    inbox.wait_until_pushed().await;

    inbox
        .harness
        .database()
        .run(format!(
            "insert into messaging.notification_switches (member_id, kind, is_on)
        values ('{}', 'post_commented', false)",
            member(1)
        ))
        .await;
    inbox.publish_feed(&post_commented(2, 4, 1, 22)).await;
    assert_eq!(inbox.count_rows("push_deliveries").await, 0);
    assert!(service.arrived().is_empty());
}
