//! A block hides a conversation from both members and from all counts; an unblock restores it.

use portia_proto::messaging::{GetMessageRequest, PreserveMessageRequest};

use crate::fixtures::{Fixture, INBOX, REQUESTS, into_result, reason};

async fn refusals(inbox: &Fixture, who: u128, other: u128, id: &str, message: &str) -> Vec<String> {
    vec![
        reason(inbox.get_conversation(who, id).await),
        reason(inbox.list_messages(who, id).await),
        reason(inbox.send(who, id, "Psst").await),
        reason(inbox.send_with_key(who, id, "Hi", Some("k")).await),
        reason(inbox.mark_read(who, id, message).await),
        reason(inbox.accept_request(who, id).await),
        reason(inbox.clear_conversation(who, id).await),
        reason(inbox.note_typing(who, id).await),
        reason(inbox.open_conversation(who, other).await),
    ]
}

#[tokio::test]
async fn a_block_hides_the_conversation_from_both_and_an_unblock_restores_it_as_read() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send_with_key(1, &id, "Hi", Some("k")).await.unwrap().id;
    inbox.send(2, &id, "Ho").await.unwrap();
    inbox.send(1, &id, "Hum").await.unwrap();
    let third = inbox.connect_pair(1, 3).await;
    inbox.send(3, &third, "Not concerned").await.unwrap();
    let before = inbox.published_facts().await.len();
    inbox.block(2, 1).await;
    assert_eq!(inbox.facts_since(before).await, ["changed for 1", "changed for 2"]);
    for (who, other) in [(1, 2), (2, 1)] {
        let mut expected = vec!["CONVERSATION_NOT_FOUND"; 8];
        expected.push("MEMBER_NOT_FOUND");
        assert_eq!(refusals(&inbox, who, other, &id, &message).await, expected);
    }
    let listed: Vec<_> =
        inbox.list_conversations(1, INBOX).await.into_iter().map(|conversation| conversation.id).collect();
    assert_eq!((listed, inbox.list_conversations(2, INBOX).await), (vec![third], vec![]));
    assert_eq!((inbox.unread_counts(1).await, inbox.unread_counts(2).await), ((1, 0), (0, 0)));
    inbox.assert_invariants().await;

    // The block in the other direction remains, and a repeated fact has no effect.
    inbox.block(1, 2).await;
    inbox.block(1, 2).await;
    inbox.unblock(2, 1).await;
    assert_eq!(reason(inbox.get_conversation(2, &id).await), "CONVERSATION_NOT_FOUND");
    let before = inbox.published_facts().await.len();
    inbox.unblock(1, 2).await;
    inbox.unblock(1, 2).await;
    assert_eq!(inbox.facts_since(before).await, ["changed for 1", "changed for 2"]);
    assert_eq!(
        (inbox.list_conversations(1, INBOX).await.len(), inbox.list_conversations(2, INBOX).await.len()),
        (2, 1)
    );
    assert_eq!(inbox.message_contents(2, &id).await.len(), 3);
    assert_eq!((inbox.unread_counts(1).await, inbox.unread_counts(2).await), ((1, 0), (0, 0)));
    inbox.send(1, &id, "Peace").await.unwrap();
    assert_eq!(inbox.unread_counts(2).await, (1, 0));
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_received_message_can_be_reported_after_a_block() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    let message = inbox.send(1, &id, "You fool").await.unwrap().id;
    let report = async |who: u128| {
        let request = GetMessageRequest { message_id: message.clone(), for_report: true };
        into_result(inbox.messaging.clone().get_message(inbox.as_member(who, request)).await)
    };
    for (blocker, blocked) in [(1, 2), (2, 1)] {
        inbox.block(blocker, blocked).await;
        assert_eq!(reason(inbox.get_message(2, &message).await), "MESSAGE_NOT_FOUND", "the message stays hidden");
        assert_eq!(report(2).await.unwrap().message.unwrap().content, "You fool");
        let preserve = PreserveMessageRequest { message_id: message.clone() };
        into_result(inbox.messaging.clone().preserve_message(inbox.as_member(2, preserve)).await).unwrap();
    }
    assert_eq!(reason(report(3).await), "MESSAGE_NOT_FOUND", "another member did not receive it");
}

#[tokio::test]
async fn a_blocked_request_is_hidden_and_an_unblock_restores_it() {
    let inbox = Fixture::new().await;
    let (id, silent) = (inbox.open_request(1, 2).await, inbox.open_request(3, 2).await);
    inbox.send(1, &id, "Hello").await.unwrap();
    inbox.block(2, 1).await;
    inbox.block(2, 3).await;
    assert_eq!((inbox.unread_counts(2).await, inbox.list_conversations(2, REQUESTS).await), ((0, 0), vec![]));
    assert_eq!((inbox.list_conversations(1, INBOX).await, inbox.list_conversations(3, INBOX).await), (vec![], vec![]));
    inbox.unblock(2, 1).await;
    inbox.unblock(2, 3).await;
    assert_eq!(inbox.list_conversations(2, REQUESTS).await.len(), 1);
    assert!(
        inbox.get_conversation(1, &id).await.unwrap().waiting
            && inbox.get_conversation(3, &silent).await.unwrap().waiting
    );
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_block_does_not_affect_other_conversations() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.block(1, 3).await;
    inbox.block(3, 2).await;
    inbox.send(1, &id, "Still here").await.unwrap();
    assert_eq!((inbox.list_conversations(1, INBOX).await.len(), inbox.unread_counts(2).await), (1, (1, 0)));
}
