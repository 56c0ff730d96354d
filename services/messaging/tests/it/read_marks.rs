//! Read marks: up to a message, forward only, visible to the sender.

use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, reason};

#[tokio::test]
async fn a_read_mark_reduces_the_unread_count_by_the_messages_before_it() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let mut messages = Vec::new();
    // Of the first four messages, member 1 sent three.
    for (who, words) in [(1, "a"), (1, "b"), (2, "c"), (1, "d"), (1, "e"), (1, "f")] {
        messages.push(inbox.send(who, &id, words).await.unwrap().id);
    }
    assert_eq!(inbox.unread_counts(2).await, (3, 0), "an answer marks as read");
    let before = inbox.published_facts().await.len();
    inbox.mark_read(2, &id, &messages[4]).await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.get_conversation(2, &id).await.unwrap().unread_count), ((1, 0), 1));
    let ticks: Vec<_> = inbox.message_contents(1, &id).await.into_iter().map(|(_, read)| read).collect();
    assert_eq!(ticks, [true, true, true, true, true, false], "member 1 answered c, and member 2 has not read f");
    assert_eq!(inbox.facts_since(before).await, ["read by 2"]);

    for earlier in [4, 0, 2] {
        inbox.mark_read(2, &id, &messages[earlier]).await.unwrap();
    }
    assert_eq!(inbox.published_facts().await.len(), before + 1, "a mark does not move backwards");
    assert_eq!(inbox.unread_counts(2).await, (1, 0));
    inbox.mark_read(2, &id, &messages[5]).await.unwrap();
    inbox.mark_read(1, &id, &messages[5]).await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.unread_counts(1).await), ((0, 0), (0, 0)));
    assert!(inbox.message_contents(1, &id).await.iter().all(|(_, read)| *read));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_answer_marks_earlier_messages_as_read() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(1, &id, "Yes?").await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.send(2, &id, "Yes!").await.unwrap();
    inbox.send(2, &id, "Really").await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["message from 2 to 1", "read by 2", "message from 2 to 1"]);
    assert_eq!(inbox.message_contents(1, &id).await[0], ("Yes?".to_owned(), true));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_read_mark_must_be_a_visible_message_of_the_conversation() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    let cleared = inbox.send(1, &id, "Cleared").await.unwrap().id;
    let elsewhere = inbox.send(1, &other, "Elsewhere").await.unwrap().id;
    inbox.clear_conversation(2, &id).await.unwrap();
    for message in [&cleared, &elsewhere, &member(9).to_string()] {
        let refused = inbox.mark_read(2, &id, message).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MESSAGE_NOT_FOUND"));
    }
    assert_eq!(reason(inbox.mark_read(2, &other, &elsewhere).await), "CONVERSATION_NOT_FOUND");
    // Unread messages that were cleared are not counted again.
    let newest = inbox.send(1, &id, "New").await.unwrap().id;
    assert_eq!(inbox.unread_counts(2).await, (1, 0));
    inbox.mark_read(2, &id, &newest).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    inbox.assert_invariants().await;
}
