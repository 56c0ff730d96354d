//! The demo's conversations: loaded once, and as true as real ones.

use crate::inbox::{INBOX, Inbox, REQUESTS, connection_id};

#[tokio::test]
async fn the_demo_is_loaded_once_whatever_was_heard_before() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    // Some of the cast are known to be connected already.
    inbox.connected(1, 36, connection_id(now, 30, 1)).await;
    inbox.connected(3, 2, connection_id(now, 30, 2)).await;
    let before = inbox.facts().await.len();
    for _ in 0..2 {
        messaging::demo::load(&inbox.harness.context).await.unwrap();
    }
    assert_eq!(inbox.facts().await.len(), before, "nobody is notified of the past");
    assert!((12..=15).contains(&inbox.count("conversations").await));
    inbox.assert_true().await;
    // And some are heard of later.
    inbox.connected(1, 17, connection_id(now, 30, 3)).await;
    assert!((12..=15).contains(&inbox.count("conversations").await));
    inbox.assert_true().await;
}

#[tokio::test]
async fn both_sign_ins_have_something_to_read_and_somebody_who_asks() {
    let inbox = Inbox::open().await;
    messaging::demo::load(&inbox.harness.context).await.unwrap();
    let late = "select count(*) from messaging.messages m
        left join messaging.messages before
            on before.conversation_id = m.conversation_id and before.seq = m.seq - 1
        where m.sent_at > $1 or m.sent_at <= before.sent_at or m.sent_at < $1 - interval '14 days'";
    let late: i64 =
        sqlx::query_scalar(late).bind(inbox.harness.clock.now()).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(late, 0, "one after the other, lately, and none tomorrow");
    for sign_in in [1, 2] {
        let (list, requests) = (inbox.list(sign_in, INBOX).await, inbox.list(sign_in, REQUESTS).await);
        assert!((6..=8).contains(&list.len()) && requests.len() == 1);
        assert!(list.iter().any(|c| c.unread_count > 0) && list.iter().any(|c| c.unread_count == 0));
        let (messages, waiting) = inbox.unread(sign_in).await;
        assert_eq!((messages, waiting), (list.iter().map(|c| c.unread_count).sum(), 1));
    }
    // What was said in it can be gone on with.
    let request = inbox.list(1, REQUESTS).await.remove(0);
    inbox.say(1, &request.id, "Of course!").await.unwrap();
    assert_eq!(inbox.unread(1).await.1, 0);
    inbox.assert_true().await;
}
