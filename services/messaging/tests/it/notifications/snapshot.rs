//! Snapshots fill the read model without notifications.

use std::sync::Arc;

use portia_proto::{
    auth::AccountClosed,
    social_graph::{ConnectionAccepted, MemberBlocked},
};
use prost::{Message, Name};
use testkit::{FactSource, Harness, member};

use super::{
    community_changed, community_joined, connection_requested, entity_id, event_attended, event_changed,
    post_commented, post_created, post_reacted, skill_endorsed,
};
use crate::fixtures::{Fixture, INBOX, connection_id};

fn add_to_snapshot<M: Message + Name>(source: &FactSource, fact: &M) {
    source.add_to_snapshot("state", fact);
}

#[tokio::test]
async fn a_snapshot_fills_the_read_model_without_notifications() {
    let inbox = Fixture::with_snapshots(|auth, profile, graph, feed| {
        add_to_snapshot(auth, &AccountClosed { member_id: member(8).to_string() });
        add_to_snapshot(feed, &post_created(2, 1, Some(20)));
        add_to_snapshot(feed, &post_reacted(2, 1, 1));
        add_to_snapshot(feed, &post_commented(2, 1, 1, 9));
        add_to_snapshot(profile, &skill_endorsed(2, 1, "Research"));
        add_to_snapshot(graph, &connection_requested(10, 2, 1));
        let met = connection_id(testkit::clock().now(), 400, 1);
        let accepted = ConnectionAccepted {
            connection_id: met.to_string(),
            requester_id: member(1).to_string(),
            recipient_id: member(3).to_string(),
        };
        add_to_snapshot(graph, &accepted);
        add_to_snapshot(graph, &MemberBlocked { blocker_id: member(1).to_string(), blocked_id: member(7).to_string() });
        add_to_snapshot(graph, &community_changed(20, "Moot"));
        add_to_snapshot(graph, &community_joined(1, 20, true));
        add_to_snapshot(graph, &community_joined(2, 20, false));
        add_to_snapshot(graph, &event_changed(30, Some(1), "Finals", 4));
        add_to_snapshot(graph, &event_attended(2, 30));
    })
    .await;
    // The first fact of each source is applied after its snapshot.
    inbox.publish_graph(&community_joined(2, 20, true)).await;
    inbox.publish_graph(&event_changed(30, Some(1), "Finals", 4)).await;
    inbox.publish_feed(&post_reacted(7, 1, 1)).await;
    inbox.publish_profile(&skill_endorsed(7, 1, "Research")).await;
    assert_eq!((inbox.count_rows("notifications").await, inbox.count_rows("notification_causes").await), (0, 0));
    assert_eq!((inbox.count_changes(1).await, inbox.count_changes(2).await), (0, 0));
    assert_eq!(inbox.list_conversations(1, INBOX).await.len(), 1, "connections of the snapshot have conversations");

    // Later facts create notifications by the read model.
    inbox.publish_graph(&community_joined(4, 20, false)).await;
    inbox.publish_graph(&event_attended(4, 30)).await;
    inbox.publish_graph(&event_changed(30, Some(1), "Finals", 5)).await;
    assert_eq!(inbox.describe_notifications(1).await, ["EventAttended by 4 (1) !", "CommunityJoined by 4 (1) !"]);
    assert_eq!(inbox.describe_notifications(2).await, ["EventChanged by 1 (1) !", "CommunityJoined by 4 (1) !"]);
    assert_eq!(inbox.list_notifications(1).await[0].subject_name.as_deref(), Some("Finals"));
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn facts_that_a_snapshot_already_contained_change_nothing() {
    // A snapshot contains committed facts without a position; these facts follow it.
    let inbox = Fixture::with_snapshots(|_, _, graph, _| {
        add_to_snapshot(graph, &community_changed(1, "Moot Court"));
        add_to_snapshot(graph, &community_joined(1, 1, true));
        add_to_snapshot(graph, &event_changed(2, Some(1), "Grand finals", 2));
        add_to_snapshot(graph, &event_attended(3, 2));
    })
    .await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    inbox.publish_graph(&community_joined(1, 1, true)).await;
    inbox.publish_graph(&event_changed(2, Some(1), "Finals", 0)).await;
    inbox.publish_graph(&event_attended(4, 2)).await;
    inbox.publish_graph(&super::event_unattended(4, 2)).await;
    inbox.publish_graph(&event_changed(2, Some(1), "The finals", 1)).await;
    inbox.publish_graph(&event_changed(2, Some(1), "Grand finals", 2)).await;
    inbox.publish_graph(&community_changed(1, "Moot Court")).await;
    assert_eq!(inbox.count_rows("notifications").await, 0);
    let known = "select string_agg(name, ' ') || ' ' || (select string_agg(title || ' ' || revision, ' ')
        from messaging.events) || ' ' || (select count(*) from messaging.attendances) from messaging.communities";
    let known: String = sqlx::query_scalar(known).fetch_one(inbox.harness.pool()).await.unwrap();
    assert_eq!(known, "Moot Court Grand finals 2 1");
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn a_new_snapshot_replaces_the_read_model() {
    let graph = FactSource::default();
    add_to_snapshot(&graph, &community_changed(1, "Moot"));
    add_to_snapshot(&graph, &community_joined(1, 1, true));
    add_to_snapshot(&graph, &event_changed(2, Some(1), "Finals", 0));
    add_to_snapshot(&graph, &event_attended(1, 2));
    let builder = Harness::of("messaging").database(&messaging::MIGRATOR).await;
    let harness = builder.upstream("social-graph", graph.routes()).context();
    let stale = format!(
        "insert into messaging.communities values ('{old}', 'Gone');
        insert into messaging.memberships values ('{old}', '{me}', true);
        insert into messaging.events values ('{old}', '{me}', 'Gone', 0);
        insert into messaging.attendances values ('{old}', '{me}')",
        old = entity_id(9),
        me = member(1),
    );
    harness.database().run(stale).await;
    let _routes = messaging::start(Arc::clone(&harness.context)).await.unwrap();
    harness.wait_until_applied("social-graph", 0).await;
    assert_eq!(harness.database().tables_referencing(entity_id(9)).await, Vec::<String>::new());
    assert_eq!(harness.database().tables_referencing(entity_id(1)).await, ["communities", "memberships"]);
    assert_eq!(harness.database().tables_referencing(entity_id(2)).await, ["attendances", "events"]);
    harness.stop().await;
}
