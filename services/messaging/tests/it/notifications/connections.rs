//! Facts of connections that arrive together.

use portia_proto::social_graph::ConnectionAccepted;
use testkit::member;

use super::{connection_removed, connection_requested, entity_id};
use crate::fixtures::{Fixture, INBOX};

fn accepted(connection: u128, who: u128, other: u128) -> ConnectionAccepted {
    ConnectionAccepted {
        connection_id: entity_id(connection).to_string(),
        requester_id: member(who).to_string(),
        recipient_id: member(other).to_string(),
    }
}

/// Five members ask member 1 and are accepted, one of them is removed, and one fact connects a member with itself.
#[tokio::test]
async fn of_connections_that_arrive_together_an_invalid_one_is_left_out() {
    let inbox = Fixture::new().await;
    let graph = &inbox.social_graph;
    for who in 2..=6 {
        graph.publish(entity_id(who), &connection_requested(who, who, 1));
    }
    for who in 2..=6 {
        graph.publish(entity_id(who), &accepted(who, who, 1));
        if who == 3 {
            graph.publish(entity_id(9), &accepted(9, 1, 1));
        }
    }
    graph.publish(entity_id(6), &connection_removed(6, 6, 1));
    let last = graph.publish(entity_id(7), &connection_requested(7, 7, 1));
    inbox.harness.wait_until_applied("social-graph", last).await;

    assert_eq!(inbox.describe_notifications(1).await, ["ConnectionRequested by 7 (1) !"]);
    for who in 2..=5 {
        assert_eq!(inbox.describe_notifications(who).await, ["ConnectionAccepted by 1 (1) !"]);
    }
    assert_eq!(inbox.describe_notifications(6).await, Vec::<String>::new());
    assert_eq!(inbox.list_conversations(1, INBOX).await.len(), 5, "also with the member of the removed connection");
    let dead = "select string_agg(key, ' ') from messaging.dead_facts";
    let dead: String = sqlx::query_scalar(dead).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(dead, entity_id(9).to_string());
    inbox.assert_invariants().await;
}
