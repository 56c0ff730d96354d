//! What is said: in one order, on pages that hold their place, once however often it is sent.

use chrono::TimeDelta;
use portia_proto::{
    auth::{AccountClosed, AccountReopened},
    messaging::GetMessageRequest,
};
use primitives::error::ErrorKind;
use testkit::member;

use crate::inbox::{INBOX, Inbox, number, reason};

#[tokio::test]
async fn a_message_is_as_it_was_said_and_everybody_hears() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let before = inbox.facts().await.len();
    let sent = inbox.say(1, &id, "  Two lines:\r\nthis and e\u{301}  ").await.unwrap();
    assert_eq!(sent.content, "  Two lines:\nthis and \u{e9}  ");
    assert_eq!(
        (sent.conversation_id.as_str(), number(sent.sender_id.as_ref().unwrap()), sent.is_read),
        (&*id, 1, false)
    );
    let thread = inbox.thread(2, &id).await.unwrap();
    assert_eq!((thread.messages, thread.next_page_token.as_str()), (vec![sent], ""));
    assert_eq!(thread.conversation.unwrap(), inbox.find(2, &id).await.unwrap());
    assert_eq!(inbox.news(before).await, ["1 writes to 2"]);
    inbox.assert_true().await;
}

#[tokio::test]
async fn an_empty_thread_is_a_conversation_without_messages() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let thread = inbox.thread(1, &id).await.unwrap();
    assert_eq!((thread.messages, thread.next_page_token.as_str()), (vec![], ""));
    assert_eq!(thread.conversation.unwrap(), inbox.find(1, &id).await.unwrap());
}

#[tokio::test]
async fn pages_go_back_to_the_beginning_while_more_is_said() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    for n in 1..=7 {
        inbox.say(1 + n % 2, &id, &n.to_string()).await.unwrap();
    }
    let (mut seen, mut token) = (Vec::new(), String::new());
    loop {
        let page = inbox.thread_from(1, &id, 3, &token).await.unwrap();
        seen.extend(page.messages.iter().map(|message| message.content.clone()));
        let conversation = page.conversation.unwrap();
        assert_eq!(conversation, inbox.find(1, &id).await.unwrap(), "each page knows the conversation as it is");
        inbox.say(2, &id, "Meanwhile").await.unwrap();
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen, ["7", "6", "5", "4", "3", "2", "1"]);
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_cleared_side_is_empty_until_somebody_writes_and_the_other_keeps_theirs() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    for words in ["One", "Two", "Three"] {
        inbox.say(1, &id, words).await.unwrap();
    }
    let before = inbox.facts().await.len();
    inbox.clear(2, &id).await.unwrap();
    assert_eq!(inbox.news(before).await, ["2 looks"]);
    assert_eq!((inbox.list(2, INBOX).await, inbox.unread(2).await), (vec![], (0, 0)));
    // Whoever has its address finds it empty.
    let thread = inbox.thread(2, &id).await.unwrap();
    let conversation = thread.conversation.unwrap();
    assert_eq!((thread.messages, conversation.last_message, conversation.last_message_at), (vec![], None, None));
    assert_eq!(inbox.words(1, &id).await.len(), 3);
    assert!(inbox.words(1, &id).await.iter().all(|(_, read)| !read), "cleared is not read");
    inbox.clear(2, &id).await.unwrap();
    assert_eq!(inbox.facts().await.len(), before + 1, "again, nothing changes");

    inbox.say(1, &id, "Four").await.unwrap();
    assert_eq!(inbox.words(2, &id).await, [("Four".to_owned(), false)]);
    assert_eq!((inbox.list(2, INBOX).await.len(), inbox.unread(2).await), (1, (1, 0)));
    assert_eq!(inbox.news(before + 1).await, ["1 writes to 2", "2 looks"]);
    // One's own words bring it back, too.
    inbox.clear(2, &id).await.unwrap();
    inbox.say(2, &id, "Five").await.unwrap();
    assert_eq!(inbox.words(2, &id).await, [("Five".to_owned(), false)]);
    assert_eq!(inbox.list(2, INBOX).await.len(), 1);
    // And so does opening it, at the top.
    inbox.connect(2, 3).await;
    inbox.clear(2, &id).await.unwrap();
    inbox.wait(60);
    assert_eq!(inbox.start(2, 1).await.unwrap().conversation.unwrap().id, id);
    assert_eq!(inbox.list(2, INBOX).await[0].id, id);
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_message_sent_again_is_the_one_it_was_however_late() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let first = inbox.send(1, &id, "Once", Some("k")).await.unwrap();
    inbox.read(2, &id, &first.id).await.unwrap();
    let before = inbox.facts().await.len();
    inbox.harness.clock.advance(TimeDelta::days(40));
    let again = inbox.send(1, &id, "Once", Some("k")).await.unwrap();
    assert!(again.is_read, "it is answered as it is now");
    assert_eq!((again.id, again.sent_at), (first.id.clone(), first.sent_at));
    let refused = inbox.send(1, &id, "Twice", Some("k")).await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::KeyReused, "IDEMPOTENCY_KEY_REUSED"));
    assert_eq!(inbox.facts().await.len(), before);

    // A key is the sender's, in this conversation; without one everything is said.
    let other = inbox.connect(1, 3).await;
    for (who, id) in [(2, &id), (1, &other)] {
        assert_ne!(inbox.send(who, id, "Once", Some("k")).await.unwrap().id, first.id);
    }
    inbox.say(1, &id, "Once").await.unwrap();
    inbox.say(1, &id, "Once").await.unwrap();
    assert_eq!(inbox.words(1, &id).await.len(), 4);
    inbox.assert_true().await;
}

#[tokio::test]
async fn what_was_said_is_answered_also_where_nothing_more_may_be() {
    let inbox = Inbox::open().await;
    let (id, former) = (inbox.ask(1, 2).await, inbox.connect(1, 3).await);
    let mut fifth = None;
    for n in 1..=5 {
        fifth = Some(inbox.send(1, &id, "Hello", Some(&n.to_string())).await.unwrap());
    }
    let farewell = inbox.send(1, &former, "Farewell", Some("k")).await.unwrap();
    inbox.erase(3).await;
    assert_eq!(inbox.send(1, &id, "Hello", Some("5")).await.unwrap(), fifth.unwrap());
    assert_eq!(reason(inbox.send(1, &id, "Hello", Some("6")).await), "REQUEST_WAITING");
    assert_eq!(reason(inbox.send(1, &id, "Other", Some("5")).await), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(inbox.send(1, &former, "Farewell", Some("k")).await.unwrap(), farewell);
    assert_eq!(reason(inbox.send(1, &former, "Hello?", Some("l")).await), "FORMER_MEMBER");
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_is_gone_is_told_nothing() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(2, &id, "Bye").await.unwrap();
    inbox.erase(2).await;
    let refused = inbox.say(1, &id, "Are you there?").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "FORMER_MEMBER"));
    assert_eq!(refused.message, "This member's account is closed.");
    assert_eq!(inbox.type_in(1, &id).await.unwrap(), None);
    assert_eq!(inbox.unread(1).await, (1, 0));
    let thread = inbox.thread(1, &id).await.unwrap();
    assert_eq!((thread.messages[0].sender_id.as_ref(), thread.messages[0].is_read), (None, false));
    let before = inbox.facts().await.len();
    inbox.read(1, &id, &thread.messages[0].id).await.unwrap();
    assert_eq!(inbox.news(before).await, ["1 reads"]);
    assert!(inbox.thread(1, &id).await.unwrap().messages[0].is_read);
    inbox.clear(1, &id).await.unwrap();
    assert_eq!((inbox.list(1, INBOX).await, inbox.unread(1).await), (vec![], (0, 0)));
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_is_away_is_told_nothing_until_they_are_back() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    inbox.say(2, &id, "I'm leaving").await.unwrap();
    let closed = AccountClosed { member_id: member(2).to_string() };
    inbox.harness.heard("auth", inbox.auth.tell(member(2), &closed)).await;
    let refused = inbox.say(1, &id, "Stay!").await.unwrap_err();
    assert_eq!((refused.reason.as_str(), inbox.type_in(1, &id).await.unwrap()), ("FORMER_MEMBER", None));
    assert_eq!(inbox.words(1, &id).await.len(), 1);
    let open = AccountReopened { member_id: member(2).to_string() };
    inbox.harness.heard("auth", inbox.auth.tell(member(2), &open)).await;
    assert_eq!(inbox.type_in(1, &id).await.unwrap(), Some(2));
    inbox.say(1, &id, "Welcome back").await.unwrap();
    inbox.assert_true().await;
}

#[tokio::test]
async fn ids_live_where_their_conversation_does() {
    let inbox = Inbox::open().await;
    let id = inbox.connect(1, 2).await;
    let message = inbox.say(1, &id, "Hi").await.unwrap().id;
    let bucket = |id: &str| primitives::ids::bucket(id.parse().unwrap());
    assert_eq!(bucket(&message), bucket(&id));
    assert_ne!(bucket(&id), primitives::ids::bucket(member(1)));
}

#[tokio::test]
async fn one_message_is_shown_to_the_two_and_to_nobody_else() {
    let inbox = Inbox::open().await;
    let (id, other) = (inbox.connect(1, 2).await, inbox.connect(2, 3).await);
    let first = inbox.say(1, &id, "First").await.unwrap();
    let second = inbox.say(2, &id, "Second").await.unwrap();
    inbox.say(3, &other, "Elsewhere").await.unwrap();
    for who in [1, 2] {
        let thread = inbox.thread(who, &id).await.unwrap().messages;
        let alone = [inbox.message(who, &second.id).await.unwrap(), inbox.message(who, &first.id).await.unwrap()];
        assert_eq!(alone.as_slice(), thread, "as the thread of {who} has them");
    }
    assert_eq!(reason(inbox.message(3, &first.id).await), "MESSAGE_NOT_FOUND", "takes part in something else");
    assert_eq!(reason(inbox.message(4, &first.id).await), "MESSAGE_NOT_FOUND", "takes part in nothing");
    assert_eq!(reason(inbox.message(1, &id).await), "MESSAGE_NOT_FOUND", "a conversation is no message");

    inbox.clear(1, &id).await.unwrap();
    assert_eq!(reason(inbox.message(1, &first.id).await), "MESSAGE_NOT_FOUND", "what was cleared is gone for who did");
    assert_eq!(inbox.message(2, &first.id).await.unwrap().content, "First");
    inbox.block(1, 2).await;
    assert_eq!(reason(inbox.message(2, &first.id).await), "MESSAGE_NOT_FOUND", "nor while one blocks the other");
    inbox.unblock(1, 2).await;
    inbox.erase(1).await;
    let kept = inbox.message(2, &first.id).await.unwrap();
    assert_eq!((kept.sender_id, kept.content.as_str()), (None, "First"), "of a former member");
}

#[tokio::test]
async fn a_message_of_a_request_is_shown_to_whoever_may_take_it() {
    let inbox = Inbox::open().await;
    let id = inbox.ask(1, 2).await;
    let message = inbox.say(1, &id, "Buy my essays").await.unwrap();
    assert_eq!(inbox.message(2, &message.id).await.unwrap().content, "Buy my essays");
    let visitor = GetMessageRequest { message_id: message.id };
    let visitor = inbox.harness.actors.service("gateway").request(visitor).unwrap();
    let refused = crate::inbox::told(inbox.messaging.clone().get_message(visitor).await).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthenticated);
}
