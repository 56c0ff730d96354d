//! Messages: one order, stable pages, one row for repeated requests.

use chrono::TimeDelta;
use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    messaging::GetMessageRequest,
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::fixtures::{Fixture, INBOX, number, reason};

#[tokio::test]
async fn a_message_is_stored_normalised_and_published() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let before = inbox.published_facts().await.len();
    let sent = inbox.send(1, &id, "  Two lines:\r\nthis and e\u{301}  ").await.unwrap();
    assert_eq!(sent.content, "  Two lines:\nthis and \u{e9}  ");
    assert_eq!(
        (sent.conversation_id.as_str(), number(sent.sender_id.as_ref().unwrap()), sent.is_read),
        (&*id, 1, false)
    );
    let thread = inbox.list_messages(2, &id).await.unwrap();
    assert_eq!((thread.messages, thread.next_page_token.as_str()), (vec![sent], ""));
    assert_eq!(thread.conversation.unwrap(), inbox.get_conversation(2, &id).await.unwrap());
    assert_eq!(inbox.facts_since(before).await, ["message from 1 to 2"]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn an_empty_thread_is_a_conversation_without_messages() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let thread = inbox.list_messages(1, &id).await.unwrap();
    assert_eq!((thread.messages, thread.next_page_token.as_str()), (vec![], ""));
    assert_eq!(thread.conversation.unwrap(), inbox.get_conversation(1, &id).await.unwrap());
}

#[tokio::test]
async fn pages_reach_the_first_message_while_new_messages_arrive() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for n in 1..=7 {
        inbox.send(1 + n % 2, &id, &n.to_string()).await.unwrap();
    }
    let (mut seen, mut token) = (Vec::new(), String::new());
    loop {
        let page = inbox.list_messages_page(1, &id, 3, &token).await.unwrap();
        seen.extend(page.messages.iter().map(|message| message.content.clone()));
        let conversation = page.conversation.unwrap();
        assert_eq!(
            conversation,
            inbox.get_conversation(1, &id).await.unwrap(),
            "each page contains the current conversation"
        );
        inbox.send(2, &id, "Meanwhile").await.unwrap();
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["7", "6", "5", "4", "3", "2", "1"]);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_cleared_conversation_is_empty_until_the_next_message_for_one_member_only() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    for words in ["One", "Two", "Three"] {
        inbox.send(1, &id, words).await.unwrap();
    }
    let before = inbox.published_facts().await.len();
    inbox.clear_conversation(2, &id).await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["changed for 2"]);
    assert_eq!((inbox.list_conversations(2, INBOX).await, inbox.unread_counts(2).await), (vec![], (0, 0)));
    // It is still found by id, without messages.
    let thread = inbox.list_messages(2, &id).await.unwrap();
    let conversation = thread.conversation.unwrap();
    assert_eq!((thread.messages, conversation.last_message, conversation.last_message_at), (vec![], None, None));
    assert_eq!(inbox.message_contents(1, &id).await.len(), 3);
    assert!(inbox.message_contents(1, &id).await.iter().all(|(_, read)| !read), "clearing does not mark as read");
    inbox.clear_conversation(2, &id).await.unwrap();
    assert_eq!(inbox.published_facts().await.len(), before + 1, "a repetition changes nothing");

    inbox.send(1, &id, "Four").await.unwrap();
    assert_eq!(inbox.message_contents(2, &id).await, [("Four".to_owned(), false)]);
    assert_eq!((inbox.list_conversations(2, INBOX).await.len(), inbox.unread_counts(2).await), (1, (1, 0)));
    assert_eq!(inbox.facts_since(before + 1).await, ["message from 1 to 2", "changed for 2"]);
    // The member's own message lists it again.
    inbox.clear_conversation(2, &id).await.unwrap();
    inbox.send(2, &id, "Five").await.unwrap();
    assert_eq!(inbox.message_contents(2, &id).await, [("Five".to_owned(), false)]);
    assert_eq!(inbox.list_conversations(2, INBOX).await.len(), 1);
    // Opening it lists it again, at the top.
    inbox.connect_pair(2, 3).await;
    inbox.clear_conversation(2, &id).await.unwrap();
    inbox.advance_clock(60);
    assert_eq!(inbox.open_conversation(2, 1).await.unwrap().conversation.unwrap().id, id);
    assert_eq!(inbox.list_conversations(2, INBOX).await[0].id, id);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_message_is_answered_with_the_first_one_at_any_time() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let first = inbox.send_with_key(1, &id, "Once", Some("k")).await.unwrap();
    inbox.mark_read(2, &id, &first.id).await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.harness.clock.advance(TimeDelta::days(40));
    let again = inbox.send_with_key(1, &id, "Once", Some("k")).await.unwrap();
    assert!(again.is_read, "the answer has the current state");
    assert_eq!((again.id, again.sent_at), (first.id.clone(), first.sent_at));
    let refused = inbox.send_with_key(1, &id, "Twice", Some("k")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(inbox.published_facts().await.len(), before);

    // A key belongs to the sender and the conversation. Without a key every request creates a message.
    let other = inbox.connect_pair(1, 3).await;
    for (who, id) in [(2, &id), (1, &other)] {
        assert_ne!(inbox.send_with_key(who, id, "Once", Some("k")).await.unwrap().id, first.id);
    }
    inbox.send(1, &id, "Once").await.unwrap();
    inbox.send(1, &id, "Once").await.unwrap();
    assert_eq!(inbox.message_contents(1, &id).await.len(), 4);
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_repeated_message_is_answered_even_if_new_ones_are_refused() {
    let inbox = Fixture::new().await;
    let (id, former) = (inbox.open_request(1, 2).await, inbox.connect_pair(1, 3).await);
    let mut fifth = None;
    for n in 1..=5 {
        fifth = Some(inbox.send_with_key(1, &id, "Hello", Some(&n.to_string())).await.unwrap());
    }
    let farewell = inbox.send_with_key(1, &former, "Farewell", Some("k")).await.unwrap();
    inbox.erase(3).await;
    assert_eq!(inbox.send_with_key(1, &id, "Hello", Some("5")).await.unwrap(), fifth.unwrap());
    assert_eq!(reason(inbox.send_with_key(1, &id, "Hello", Some("6")).await), "REQUEST_WAITING");
    assert_eq!(reason(inbox.send_with_key(1, &id, "Other", Some("5")).await), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(inbox.send_with_key(1, &former, "Farewell", Some("k")).await.unwrap(), farewell);
    assert_eq!(reason(inbox.send_with_key(1, &former, "Hello?", Some("l")).await), "FORMER_MEMBER");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_to_an_erased_member_is_refused() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(2, &id, "Bye").await.unwrap();
    inbox.erase(2).await;
    let refused = inbox.send(1, &id, "Are you there?").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "FORMER_MEMBER"));
    assert_eq!(refused.message, "This member's account is closed.");
    assert_eq!(inbox.note_typing(1, &id).await.unwrap(), None);
    assert_eq!(inbox.unread_counts(1).await, (1, 0));
    let thread = inbox.list_messages(1, &id).await.unwrap();
    assert_eq!((thread.messages[0].sender_id.as_ref(), thread.messages[0].is_read), (None, false));
    let before = inbox.published_facts().await.len();
    inbox.mark_read(1, &id, &thread.messages[0].id).await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["read by 1"]);
    assert!(inbox.list_messages(1, &id).await.unwrap().messages[0].is_read);
    inbox.clear_conversation(1, &id).await.unwrap();
    assert_eq!((inbox.list_conversations(1, INBOX).await, inbox.unread_counts(1).await), (vec![], (0, 0)));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_message_to_a_closed_account_is_refused_until_it_is_reopened() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(2, &id, "I'm leaving").await.unwrap();
    let closed = AccountClosed { member_id: member(2).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(2), &closed)).await;
    let refused = inbox.send(1, &id, "Stay!").await.unwrap_err();
    assert_eq!((refused.reason.as_str(), inbox.note_typing(1, &id).await.unwrap()), ("FORMER_MEMBER", None));
    assert_eq!(inbox.message_contents(1, &id).await.len(), 1);
    let open = AccountReopened { member_id: member(2).to_string() };
    inbox.harness.wait_until_applied("auth", inbox.auth.publish(member(2), &open)).await;
    assert_eq!(inbox.note_typing(1, &id).await.unwrap(), Some(2));
    inbox.send(1, &id, "Welcome back").await.unwrap();
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn message_ids_share_the_bucket_of_the_conversation() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "Hi").await.unwrap().id;
    let bucket = |id: &str| primitives::ids::bucket(id.parse().unwrap());
    assert_eq!(bucket(&message), bucket(&id));
    assert_ne!(bucket(&id), primitives::ids::bucket(member(1)));
}

#[tokio::test]
async fn a_message_is_readable_by_both_members_only() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(2, 3).await);
    let first = inbox.send(1, &id, "First").await.unwrap();
    let second = inbox.send(2, &id, "Second").await.unwrap();
    inbox.send(3, &other, "Elsewhere").await.unwrap();
    for who in [1, 2] {
        let thread = inbox.list_messages(who, &id).await.unwrap().messages;
        let alone =
            [inbox.get_message(who, &second.id).await.unwrap(), inbox.get_message(who, &first.id).await.unwrap()];
        assert_eq!(alone.as_slice(), thread, "equal to the list of {who}");
    }
    assert_eq!(
        reason(inbox.get_message(3, &first.id).await),
        "MESSAGE_NOT_FOUND",
        "a participant of another conversation"
    );
    assert_eq!(reason(inbox.get_message(4, &first.id).await), "MESSAGE_NOT_FOUND", "a participant of no conversation");
    assert_eq!(reason(inbox.get_message(1, &id).await), "MESSAGE_NOT_FOUND", "the id of a conversation");

    inbox.clear_conversation(1, &id).await.unwrap();
    assert_eq!(reason(inbox.get_message(1, &first.id).await), "MESSAGE_NOT_FOUND", "cleared messages are not found");
    assert_eq!(inbox.get_message(2, &first.id).await.unwrap().content, "First");
    inbox.block(1, 2).await;
    assert_eq!(reason(inbox.get_message(2, &first.id).await), "MESSAGE_NOT_FOUND", "nor during a block");
    inbox.unblock(1, 2).await;
    inbox.erase(1).await;
    let message = inbox.get_message(2, &first.id).await.unwrap();
    assert_eq!((message.sender_id, message.content.as_str()), (None, "First"), "a message of an erased member");
}

#[tokio::test]
async fn a_message_of_a_request_is_readable_by_the_recipient() {
    let inbox = Fixture::new().await;
    let id = inbox.open_request(1, 2).await;
    let message = inbox.send(1, &id, "Buy my essays").await.unwrap();
    assert_eq!(inbox.get_message(2, &message.id).await.unwrap().content, "Buy my essays");
    let visitor = GetMessageRequest { message_id: message.id, for_report: false };
    let visitor = inbox.harness.actors.service("gateway").request(visitor).unwrap();
    let refused = crate::fixtures::into_result(inbox.messaging.clone().get_message(visitor).await).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthenticated);
}
