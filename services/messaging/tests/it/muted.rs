//! Muted conversations are listed with their own count, but the totals exclude them.

use crate::fixtures::{Fixture, INBOX, reason};

#[tokio::test]
async fn a_muted_conversation_is_listed_but_not_counted_in_the_totals() {
    let inbox = Fixture::new().await;
    let (id, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    inbox.send(2, &id, "One").await.unwrap();
    inbox.send(3, &other, "Elsewhere").await.unwrap();
    let before = inbox.published_facts().await.len();
    assert!(inbox.mute(1, &id, true).await.unwrap().muted);
    assert_eq!(inbox.unread_counts(1).await, (1, 0));
    inbox.mute(1, &id, true).await.unwrap();
    assert_eq!(inbox.facts_since(before).await, ["changed for 1"], "the other browsers of the member only, once");

    inbox.advance_clock(1);
    let last = inbox.send(2, &id, "Two").await.unwrap().id;
    let muted = inbox.list_conversations(1, INBOX).await.remove(0);
    assert_eq!((muted.id.as_str(), muted.unread_count, muted.muted), (id.as_str(), 2, true));
    assert_eq!(inbox.unread_counts(1).await, (1, 0));
    assert!(!inbox.get_conversation(2, &id).await.unwrap().muted, "the other member does not see it");
    inbox.assert_invariants().await;

    assert!(!inbox.mute(1, &id, false).await.unwrap().muted);
    assert_eq!(inbox.unread_counts(1).await, (3, 0), "its unread messages count again");
    inbox.mute(1, &id, true).await.unwrap();
    inbox.mark_read(1, &id, &last).await.unwrap();
    assert_eq!(inbox.get_conversation(1, &id).await.unwrap().unread_count, 0);
    inbox.send(1, &id, "Three").await.unwrap();
    inbox.mute(1, &id, false).await.unwrap();
    assert_eq!(inbox.unread_counts(1).await, (1, 0));
    assert_eq!(reason(inbox.mute(3, &id, true).await), "CONVERSATION_NOT_FOUND");
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_muted_request_stays_muted_after_acceptance_connection_and_block() {
    let inbox = Fixture::new().await;
    let (accepted, connected) = (inbox.open_request(2, 1).await, inbox.open_request(3, 1).await);
    for (who, id) in [(2, &accepted), (3, &connected)] {
        inbox.send(who, id, "Hello").await.unwrap();
        inbox.mute(1, id, true).await.unwrap();
    }
    assert_eq!(inbox.unread_counts(1).await, (0, 0));
    inbox.accept_request(1, &accepted).await.unwrap();
    inbox.connect_pair(1, 3).await;
    assert_eq!(inbox.unread_counts(1).await, (0, 0));
    inbox.assert_invariants().await;
    inbox.block(1, 2).await;
    inbox.clear_conversation(1, &connected).await.unwrap();
    assert_eq!(inbox.unread_counts(1).await, (0, 0));
    inbox.assert_invariants().await;
}
