//! Message requests between members without a connection, until they are answered, accepted, deleted or blocked.

use portia_proto::messaging::Conversation;
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, INBOX, REQUESTS, connection_id, reason};

/// Returns the visible state: waiting, last message, unread count.
fn state(conversation: &Conversation) -> (bool, Option<&str>, i32) {
    (conversation.waiting, conversation.last_message.as_deref(), conversation.unread_count)
}

#[tokio::test]
async fn a_request_without_messages_is_visible_to_the_sender_only() {
    let inbox = Fixture::new().await;
    let opened = inbox.open_conversation(1, 2).await.unwrap();
    assert!(opened.created);
    let conversation = opened.conversation.unwrap();
    assert_eq!(conversation.other_member_id, Some(member(2).to_string()));
    assert_eq!((conversation.folder(), state(&conversation)), (INBOX, (true, None, 0)));
    let again = inbox.open_conversation(1, 2).await.unwrap();
    assert_eq!((again.created, again.conversation.unwrap()), (false, conversation.clone()));
    assert_eq!(inbox.list_conversations(1, INBOX).await, std::slice::from_ref(&conversation));

    assert_eq!(
        (inbox.list_conversations(2, INBOX).await, inbox.list_conversations(2, REQUESTS).await),
        (vec![], vec![])
    );
    assert_eq!(reason(inbox.get_conversation(2, &conversation.id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.send(2, &conversation.id, "I know").await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.accept_request(2, &conversation.id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(inbox.facts_since(0).await, ["changed for 1"]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_request_holds_five_messages_and_an_answer_accepts_it() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    for n in 1..=5 {
        inbox.send(1, &id, &format!("Message {n}")).await.unwrap();
    }
    let refused = inbox.send(1, &id, "Message 6").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "REQUEST_WAITING"));
    assert_eq!(refused.message, "They need to accept your request before you can write more.");
    assert_eq!(inbox.unread_counts(2).await, (0, 1), "one request for several messages");
    let requests = inbox.list_conversations(2, REQUESTS).await;
    assert_eq!(requests.iter().map(state).collect::<Vec<_>>(), [(false, Some("Message 5"), 5)]);
    assert_eq!(inbox.list_conversations(2, INBOX).await, []);
    assert_eq!((inbox.note_typing(1, &id).await.unwrap(), inbox.note_typing(2, &id).await.unwrap()), (None, None));

    let before = inbox.published_facts().await.len();
    inbox.send(2, &id, "Tell me more").await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["message from 2 to 1", "read by 2", "changed for 2", "changed for 1"]);
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    assert_eq!(inbox.list_conversations(2, REQUESTS).await, []);
    let inboxes = [inbox.list_conversations(1, INBOX).await, inbox.list_conversations(2, INBOX).await].concat();
    let states: Vec<_> = inboxes.iter().map(state).collect();
    assert_eq!(states, [(false, Some("Tell me more"), 1), (false, Some("Tell me more"), 0)]);
    inbox.send(1, &id, "Message 6").await.unwrap();
    assert_eq!(
        (inbox.note_typing(1, &id).await.unwrap(), inbox.note_typing(2, &id).await.unwrap()),
        (Some(2), Some(1))
    );
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_accepted_request_moves_to_the_inbox_with_its_unread_messages() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    inbox.send(1, &id, "Hello").await.unwrap();
    inbox.send(1, &id, "Hello?").await.unwrap();
    assert!(inbox.accept_request(1, &id).await.unwrap().waiting, "the sender cannot accept the request");
    let before = inbox.published_facts().await.len();
    let accepted = inbox.accept_request(2, &id).await.unwrap();
    assert_eq!((accepted.folder(), state(&accepted)), (INBOX, (false, Some("Hello?"), 2)));
    assert_eq!(inbox.unread_counts(2).await, (2, 0));
    assert_eq!(inbox.facts_since(before).await, ["changed for 2", "changed for 1"]);
    assert_eq!(inbox.accept_request(2, &id).await.unwrap(), accepted);
    assert_eq!(inbox.published_facts().await.len(), before + 2, "a repetition changes nothing");
    assert!(!inbox.get_conversation(1, &id).await.unwrap().waiting);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_read_request_stays_a_request() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let message = inbox.send(1, &id, "Hello").await.unwrap();
    inbox.mark_read(2, &id, &message.id).await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 0));
    assert_eq!(
        inbox.list_conversations(2, REQUESTS).await.iter().map(state).collect::<Vec<_>>(),
        [(false, Some("Hello"), 0)]
    );
    inbox.send(1, &id, "Still here").await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (0, 1));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_deleted_request_returns_with_the_next_message_and_keeps_its_limit() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    for n in 1..=4 {
        inbox.send(1, &id, &format!("Message {n}")).await.unwrap();
    }
    inbox.clear_conversation(2, &id).await.unwrap();
    assert_eq!((inbox.unread_counts(2).await, inbox.list_conversations(2, REQUESTS).await), ((0, 0), vec![]));
    assert_eq!(inbox.message_contents(1, &id).await.len(), 4, "the sender keeps the conversation");
    let before = inbox.published_facts().await.len();
    inbox.send(1, &id, "Message 5").await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["message from 1 to 2", "changed for 2"]);
    assert_eq!(
        inbox.list_conversations(2, REQUESTS).await.iter().map(state).collect::<Vec<_>>(),
        [(false, Some("Message 5"), 1)]
    );
    assert_eq!(inbox.message_contents(2, &id).await, [("Message 5".to_owned(), false)]);
    assert_eq!(reason(inbox.send(1, &id, "Message 6").await), "REQUEST_WAITING", "deleting does not reset the limit");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn opening_an_unlisted_request_accepts_it() {
    let inbox = Fixture::new().await;
    let (silent, deleted) = (inbox.open_request(1, 2).await, inbox.open_request(1, 3).await);
    inbox.send(1, &deleted, "Hello").await.unwrap();
    inbox.clear_conversation(3, &deleted).await.unwrap();
    for (who, id) in [(2, &silent), (3, &deleted)] {
        let before = inbox.published_facts().await.len();
        let opened = inbox.open_conversation(who, 1).await.unwrap();
        let conversation = opened.conversation.unwrap();
        assert_eq!((opened.created, &conversation.id, conversation.folder()), (false, id, INBOX));
        assert_eq!(state(&conversation), (false, None, 0));
        assert_eq!(inbox.facts_since(before).await, [format!("changed for {who}"), "changed for 1".to_owned()]);
        assert!(!inbox.get_conversation(1, id).await.unwrap().waiting);
    }
    // A listed request stays a request: accepting is a separate action.
    let waiting = inbox.open_request(1, 4).await;
    inbox.send(1, &waiting, "Hello").await.unwrap();
    let opened = inbox.open_conversation(4, 1).await.unwrap().conversation.unwrap();
    assert_eq!((opened.folder(), state(&opened)), (REQUESTS, (false, Some("Hello"), 1)));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_connection_accepts_a_request() {
    let inbox = Fixture::new().await;
    let now = inbox.harness.clock.now();
    let (silent, waiting, deleted) =
        (inbox.open_request(1, 2).await, inbox.open_request(1, 3).await, inbox.open_request(1, 4).await);
    for id in [&waiting, &waiting, &deleted] {
        inbox.send(1, id, "Hello").await.unwrap();
    }
    inbox.clear_conversation(4, &deleted).await.unwrap();
    for other in [2, 3, 4] {
        inbox.apply_connection(other, 1, connection_id(now, 1, other)).await;
    }
    assert_eq!(inbox.list_conversations(1, INBOX).await.iter().filter(|conversation| conversation.waiting).count(), 0);
    assert_eq!(inbox.get_conversation(2, &silent).await.unwrap().folder(), INBOX);
    assert_eq!((inbox.unread_counts(3).await, inbox.list_conversations(3, INBOX).await.len()), ((2, 0), 1));
    assert_eq!(
        (inbox.unread_counts(4).await, inbox.list_conversations(4, INBOX).await),
        ((0, 0), vec![]),
        "a deleted conversation stays deleted"
    );
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_request_to_oneself_or_an_unavailable_member_is_refused() {
    let inbox = Fixture::new().await;
    let refused = inbox.open_conversation(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "userId"));
    inbox.block(2, 1).await;
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = inbox.open_conversation(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    assert_eq!((inbox.count_rows("conversations").await, inbox.published_facts().await), (0, vec![]));
}
