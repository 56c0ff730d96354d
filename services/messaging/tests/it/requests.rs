//! Messages from somebody one is not connected with: a request until it is answered, accepted, deleted or blocked.

use portia_proto::messaging::Conversation;
use primitives::error::ErrorKind;
use testkit::member;

use crate::inbox::{INBOX, Inbox, REQUESTS, connection_id, reason};

/// What somebody sees of one: whether it waits, its last words, and what is unread.
fn seen(conversation: &Conversation) -> (bool, Option<&str>, i32) {
    (conversation.waiting, conversation.last_message.as_deref(), conversation.unread_count)
}

#[tokio::test]
async fn a_request_in_which_nothing_was_said_is_its_openers_alone() {
    let inbox = Inbox::open().await;
    let opened = inbox.start(1, 2).await.unwrap();
    assert!(opened.created);
    let conversation = opened.conversation.unwrap();
    assert_eq!(conversation.other_member_id, Some(member(2).to_string()));
    assert_eq!((conversation.folder(), seen(&conversation)), (INBOX, (true, None, 0)));
    let again = inbox.start(1, 2).await.unwrap();
    assert_eq!((again.created, again.conversation.unwrap()), (false, conversation.clone()));
    assert_eq!(inbox.list(1, INBOX).await, std::slice::from_ref(&conversation));

    assert_eq!((inbox.list(2, INBOX).await, inbox.list(2, REQUESTS).await), (vec![], vec![]));
    assert_eq!(reason(inbox.find(2, &conversation.id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.say(2, &conversation.id, "I know").await), "CONVERSATION_NOT_FOUND");
    assert_eq!(reason(inbox.accept(2, &conversation.id).await), "CONVERSATION_NOT_FOUND");
    assert_eq!(inbox.news(0).await, ["1 looks"]);
    inbox.assert_true().await;
}

#[tokio::test]
async fn five_messages_wait_for_an_answer_which_accepts() {
    let inbox = Inbox::open().await;
    let id = inbox.ask(1, 2).await;
    for n in 1..=5 {
        inbox.say(1, &id, &format!("Message {n}")).await.unwrap();
    }
    let refused = inbox.say(1, &id, "Message 6").await.unwrap_err();
    assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::Forbidden, "REQUEST_WAITING"));
    assert_eq!(refused.message, "They need to accept your request before you can write more.");
    assert_eq!(inbox.unread(2).await, (0, 1), "one request, however much was said");
    let requests = inbox.list(2, REQUESTS).await;
    assert_eq!(requests.iter().map(seen).collect::<Vec<_>>(), [(false, Some("Message 5"), 5)]);
    assert_eq!(inbox.list(2, INBOX).await, []);
    assert_eq!((inbox.type_in(1, &id).await.unwrap(), inbox.type_in(2, &id).await.unwrap()), (None, None));

    let before = inbox.facts().await.len();
    inbox.say(2, &id, "Tell me more").await.unwrap();
    assert_eq!(inbox.news(before).await, ["2 writes to 1", "2 reads", "2 looks", "1 looks"]);
    assert_eq!(inbox.unread(2).await, (0, 0));
    assert_eq!(inbox.list(2, REQUESTS).await, []);
    let inboxes = [inbox.list(1, INBOX).await, inbox.list(2, INBOX).await].concat();
    let told: Vec<_> = inboxes.iter().map(seen).collect();
    assert_eq!(told, [(false, Some("Tell me more"), 1), (false, Some("Tell me more"), 0)]);
    inbox.say(1, &id, "Message 6").await.unwrap();
    assert_eq!((inbox.type_in(1, &id).await.unwrap(), inbox.type_in(2, &id).await.unwrap()), (Some(2), Some(1)));
    inbox.assert_true().await;
}

#[tokio::test]
async fn an_accepted_request_moves_with_what_is_unread() {
    let inbox = Inbox::open().await;
    let id = inbox.ask(1, 2).await;
    inbox.say(1, &id, "Hello").await.unwrap();
    inbox.say(1, &id, "Hello?").await.unwrap();
    assert!(inbox.accept(1, &id).await.unwrap().waiting, "one does not accept one's own");
    let before = inbox.facts().await.len();
    let accepted = inbox.accept(2, &id).await.unwrap();
    assert_eq!((accepted.folder(), seen(&accepted)), (INBOX, (false, Some("Hello?"), 2)));
    assert_eq!(inbox.unread(2).await, (2, 0));
    assert_eq!(inbox.news(before).await, ["2 looks", "1 looks"]);
    assert_eq!(inbox.accept(2, &id).await.unwrap(), accepted);
    assert_eq!(inbox.facts().await.len(), before + 2, "again, nothing changes");
    assert!(!inbox.find(1, &id).await.unwrap().waiting);
    inbox.assert_true().await;
}

#[tokio::test]
async fn what_is_read_stays_a_request() {
    let inbox = Inbox::open().await;
    let id = inbox.ask(1, 2).await;
    let message = inbox.say(1, &id, "Hello").await.unwrap();
    inbox.read(2, &id, &message.id).await.unwrap();
    assert_eq!(inbox.unread(2).await, (0, 0));
    assert_eq!(inbox.list(2, REQUESTS).await.iter().map(seen).collect::<Vec<_>>(), [(false, Some("Hello"), 0)]);
    inbox.say(1, &id, "Still here").await.unwrap();
    assert_eq!(inbox.unread(2).await, (0, 1));
    inbox.assert_true().await;
}

#[tokio::test]
async fn a_deleted_request_comes_back_with_the_next_message_and_not_as_a_new_one() {
    let inbox = Inbox::open().await;
    let id = inbox.ask(1, 2).await;
    for n in 1..=4 {
        inbox.say(1, &id, &format!("Message {n}")).await.unwrap();
    }
    inbox.clear(2, &id).await.unwrap();
    assert_eq!((inbox.unread(2).await, inbox.list(2, REQUESTS).await), ((0, 0), vec![]));
    assert_eq!(inbox.words(1, &id).await.len(), 4, "the other has theirs");
    let before = inbox.facts().await.len();
    inbox.say(1, &id, "Message 5").await.unwrap();
    assert_eq!(inbox.news(before).await, ["1 writes to 2", "2 looks"]);
    assert_eq!(inbox.list(2, REQUESTS).await.iter().map(seen).collect::<Vec<_>>(), [(false, Some("Message 5"), 1)]);
    assert_eq!(inbox.words(2, &id).await, [("Message 5".to_owned(), false)]);
    assert_eq!(reason(inbox.say(1, &id, "Message 6").await), "REQUEST_WAITING", "deleting gives no more of them");
    inbox.assert_true().await;
}

#[tokio::test]
async fn who_opens_one_that_is_not_on_their_list_takes_it() {
    let inbox = Inbox::open().await;
    let (silent, deleted) = (inbox.ask(1, 2).await, inbox.ask(1, 3).await);
    inbox.say(1, &deleted, "Hello").await.unwrap();
    inbox.clear(3, &deleted).await.unwrap();
    for (who, id) in [(2, &silent), (3, &deleted)] {
        let before = inbox.facts().await.len();
        let opened = inbox.start(who, 1).await.unwrap();
        let conversation = opened.conversation.unwrap();
        assert_eq!((opened.created, &conversation.id, conversation.folder()), (false, id, INBOX));
        assert_eq!(seen(&conversation), (false, None, 0));
        assert_eq!(inbox.news(before).await, [format!("{who} looks"), "1 looks".to_owned()]);
        assert!(!inbox.find(1, id).await.unwrap().waiting);
    }
    // One that waits on the list stays what it is: accepting is another button.
    let waiting = inbox.ask(1, 4).await;
    inbox.say(1, &waiting, "Hello").await.unwrap();
    let opened = inbox.start(4, 1).await.unwrap().conversation.unwrap();
    assert_eq!((opened.folder(), seen(&opened)), (REQUESTS, (false, Some("Hello"), 1)));
    inbox.assert_true().await;
}

#[tokio::test]
async fn connecting_takes_a_request() {
    let inbox = Inbox::open().await;
    let now = inbox.harness.clock.now();
    let (silent, waiting, deleted) = (inbox.ask(1, 2).await, inbox.ask(1, 3).await, inbox.ask(1, 4).await);
    for id in [&waiting, &waiting, &deleted] {
        inbox.say(1, id, "Hello").await.unwrap();
    }
    inbox.clear(4, &deleted).await.unwrap();
    for other in [2, 3, 4] {
        inbox.connected(other, 1, connection_id(now, 1, other)).await;
    }
    assert_eq!(inbox.list(1, INBOX).await.iter().filter(|conversation| conversation.waiting).count(), 0);
    assert_eq!(inbox.find(2, &silent).await.unwrap().folder(), INBOX);
    assert_eq!((inbox.unread(3).await, inbox.list(3, INBOX).await.len()), ((2, 0), 1));
    assert_eq!((inbox.unread(4).await, inbox.list(4, INBOX).await), ((0, 0), vec![]), "deleted stays deleted");
    inbox.assert_true().await;
}

#[tokio::test]
async fn there_is_nobody_to_ask_but_others() {
    let inbox = Inbox::open().await;
    let refused = inbox.start(1, 1).await.unwrap_err();
    assert_eq!((refused.kind, refused.violations[0].field.as_str()), (ErrorKind::Invalid, "userId"));
    inbox.block(2, 1).await;
    for (who, other) in [(1, 2), (2, 1)] {
        let refused = inbox.start(who, other).await.unwrap_err();
        assert_eq!((refused.kind, refused.reason.as_str()), (ErrorKind::NotFound, "MEMBER_NOT_FOUND"));
    }
    assert_eq!((inbox.count("conversations").await, inbox.facts().await), (0, vec![]));
}
