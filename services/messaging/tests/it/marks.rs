//! What is read: up to a message, forward only, and the other's ticks follow.

use primitives::error::ErrorKind;
use testkit::member;

use crate::inbox::{Inbox, reason};

#[tokio::test]
async fn a_mark_takes_off_what_it_passes_and_only_that() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let mut messages = Vec::new();
    // Two's words between one's: of the first four, one has said three.
    for (who, words) in [(1, "a"), (1, "b"), (2, "c"), (1, "d"), (1, "e"), (1, "f")] {
        messages.push(inbox.say(who, &id, words).await.unwrap().id);
    }
    assert_eq!(inbox.unread(2).await, (3, 0), "answering read what was before");
    let before = inbox.facts().await.len();
    inbox.read(2, &id, &messages[4]).await.unwrap();
    assert_eq!((inbox.unread(2).await, inbox.find(2, &id).await.unwrap().unread_count), ((1, 0), 1));
    let ticks: Vec<_> = inbox.words(1, &id).await.into_iter().map(|(_, read)| read).collect();
    assert_eq!(ticks, [true, true, true, true, true, false], "one has answered c, and two not read f");
    assert_eq!(inbox.news(before).await, ["2 reads"]);

    for earlier in [4, 0, 2] {
        inbox.read(2, &id, &messages[earlier]).await.unwrap();
    }
    assert_eq!(inbox.facts().await.len(), before + 1, "backwards, nothing changes");
    assert_eq!(inbox.unread(2).await, (1, 0));
    inbox.read(2, &id, &messages[5]).await.unwrap();
    inbox.read(1, &id, &messages[5]).await.unwrap();
    assert_eq!((inbox.unread(2).await, inbox.unread(1).await), ((0, 0), (0, 0)));
    assert!(inbox.words(1, &id).await.iter().all(|(_, read)| *read));
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_answers_has_read_and_the_other_is_told() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(1, &id, "Yes?").await.unwrap();
    let before = inbox.facts().await.len();
    inbox.say(2, &id, "Yes!").await.unwrap();
    inbox.say(2, &id, "Really").await.unwrap();
    assert_eq!(inbox.news(before).await, ["2 writes to 1", "2 reads", "2 writes to 1"]);
    assert_eq!(inbox.words(1, &id).await[0], ("Yes?".to_owned(), true));
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_mark_is_a_message_of_the_conversation_that_one_sees() {
    let inbox = Inbox::open().await;
    let (id, other) = (inbox.connect(1, 2).await, inbox.connect(1, 3).await);
    let cleared = inbox.say(1, &id, "Cleared").await.unwrap().id;
    let elsewhere = inbox.say(1, &other, "Elsewhere").await.unwrap().id;
    inbox.clear(2, &id).await.unwrap();
    for message in [&cleared, &elsewhere, &member(9).to_string()] {
        let refused = inbox.read(2, &id, message).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MESSAGE_NOT_FOUND"));
    }
    assert_eq!(reason(inbox.read(2, &other, &elsewhere).await), "CONVERSATION_NOT_FOUND");
    // What was cleared unread counts no more when more comes.
    let newest = inbox.say(1, &id, "New").await.unwrap().id;
    assert_eq!(inbox.unread(2).await, (1, 0));
    inbox.read(2, &id, &newest).await.unwrap();
    assert_eq!(inbox.unread(2).await, (0, 0));
    inbox.assert_true().await;
}
