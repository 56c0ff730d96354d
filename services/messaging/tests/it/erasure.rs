//! An erased account leaves no reference to the member; its messages stay for the other member.

use portia_proto::social_graph::{CommunityJoined, MemberErased};
use testkit::member;

use crate::{
    fixtures::{Fixture, INBOX, REQUESTS, reason, wait_for_background_work},
    notifications::entity_id,
};

#[tokio::test]
async fn a_conversation_outlives_one_erased_member_and_is_deleted_with_both() {
    let inbox = Fixture::new().await;
    // Member 2 has the upper id of the first pair and the lower id of the other.
    let (first, other) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(2, 3).await);
    inbox.send_with_key(1, &first, "From one", Some("k")).await.unwrap();
    inbox.send_with_key(2, &first, "From two", Some("k")).await.unwrap();
    inbox.send(2, &other, "To three").await.unwrap();
    let database = inbox.harness.database();
    let named = database.tables_referencing(member(2)).await;
    for table in ["conversations", "messages", "participants", "unread_counts"] {
        assert!(named.iter().any(|name| name == table), "{table} in {named:?}");
    }

    inbox.erase(2).await;
    assert_eq!(database.tables_referencing(member(2)).await, Vec::<String>::new());
    let list = inbox.list_conversations(1, INBOX).await;
    assert_eq!(list.len(), 1);
    assert_eq!((list[0].other_member_id.as_deref(), list[0].last_message.as_deref()), (None, Some("From two")));
    assert_eq!(
        (list[0].unread_count, inbox.unread_counts(1).await, inbox.count_rows("messages").await),
        (1, (1, 0), 3)
    );
    let read = [("From one".to_owned(), true), ("From two".to_owned(), false)];
    assert_eq!(inbox.message_contents(1, &first).await, read, "read receipts stay");
    inbox.assert_invariants().await;

    inbox.erase(1).await;
    assert_eq!(database.tables_referencing(member(1)).await, Vec::<String>::new());
    assert_eq!(
        (inbox.count_rows("conversations").await, inbox.count_rows("messages").await),
        (1, 1),
        "member 3 keeps the conversation"
    );
    inbox.assert_invariants().await;
    inbox.harness.stop().await;
}

/// A snapshot that began before the erasure is applied after auth's fact. The fact of social-graph follows all its rows.
#[tokio::test]
async fn rows_of_an_erased_member_that_arrive_later_are_erased_by_social_graphs_fact() {
    let inbox = Fixture::new().await;
    inbox.erase(2).await;
    inbox.apply_connection(1, 2, entity_id(7)).await;
    inbox.block(2, 3).await;
    let joined = CommunityJoined {
        community_id: entity_id(8).to_string(),
        member_id: member(2).to_string(),
        ..Default::default()
    };
    inbox.publish_graph(&joined).await;
    for _ in 0..2 {
        inbox.publish_graph(&MemberErased { member_id: member(2).to_string() }).await;
        wait_for_background_work(&inbox.harness).await;
    }
    assert_eq!(inbox.harness.database().tables_referencing(member(2)).await, Vec::<String>::new());
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_blocked_erasure_delays_no_consumer_and_is_retried() {
    let inbox = Fixture::new().await;
    let id = inbox.connect_pair(1, 2).await;
    inbox.send(1, &id, "From one").await.unwrap();
    // The erasure exceeds the statement timeout: the test locks the message.
    let mut holder = db::begin(inbox.harness.pool()).await.unwrap();
    sqlx::raw_sql("select from messaging.messages for update").execute(&mut *holder).await.unwrap();
    inbox.apply_erasure(1).await;
    inbox.apply_closure(3).await;
    assert_eq!(inbox.count_rows("dead_facts").await, 0);
    assert_eq!(inbox.count_rows("erasures").await, 1);
    assert_eq!(reason(inbox.send(2, &id, "Are you there?").await), "FORMER_MEMBER", "as soon as the fact is applied");
    assert_eq!(inbox.message_contents(2, &id).await, [("From one".to_owned(), false)]);
    holder.rollback().await.unwrap();
    wait_for_background_work(&inbox.harness).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
    assert_eq!(inbox.message_contents(2, &id).await, [("From one".to_owned(), false)]);
    inbox.assert_invariants().await;
    inbox.harness.stop().await;
}

#[tokio::test]
async fn sent_and_received_requests_survive_the_erasure_of_one_member() {
    let inbox = Fixture::new().await;
    let (from, to) = (inbox.open_request(1, 2).await, inbox.open_request(3, 1).await);
    inbox.open_request(1, 4).await;
    let silent = inbox.open_request(5, 1).await;
    inbox.send(1, &from, "Hello").await.unwrap();
    inbox.send(3, &to, "Hello").await.unwrap();
    inbox.erase(1).await;
    assert_eq!(inbox.harness.database().tables_referencing(member(1)).await, Vec::<String>::new());
    assert_eq!(inbox.count_rows("conversations").await, 3, "the unsent request is deleted");

    // The recipient can still accept the request.
    assert_eq!((inbox.list_conversations(2, REQUESTS).await.len(), inbox.unread_counts(2).await), (1, (0, 1)));
    assert_eq!(inbox.accept_request(2, &from).await.unwrap().folder(), INBOX);
    assert_eq!(inbox.unread_counts(2).await, (1, 0));
    // The sender's request no longer waits.
    for (who, id) in [(3, &to), (5, &silent)] {
        assert!(!inbox.get_conversation(who, id).await.unwrap().waiting);
        assert_eq!(reason(inbox.send(who, id, "Hello?").await), "FORMER_MEMBER");
    }
    inbox.assert_invariants().await;
}

#[tokio::test]
async fn a_blocked_conversation_stays_hidden_after_the_other_member_is_erased() {
    let inbox = Fixture::new().await;
    let (one, two) = (inbox.connect_pair(1, 2).await, inbox.connect_pair(1, 3).await);
    for (who, id) in [(2, &one), (1, &one), (3, &two)] {
        inbox.send(who, id, "Words").await.unwrap();
    }
    inbox.block(1, 2).await;
    inbox.block(3, 1).await;
    inbox.erase(2).await;
    inbox.erase(3).await;
    assert_eq!((inbox.list_conversations(1, INBOX).await, inbox.unread_counts(1).await), (vec![], (0, 0)));
    for id in [&one, &two] {
        assert_eq!(inbox.message_contents(1, id).await, []);
    }
    inbox.assert_invariants().await;
}
