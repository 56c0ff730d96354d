//! An erased account leaves nothing of the member here, and the counts say so.

use chrono::TimeDelta;
use portia_proto::social_graph::{CommunityRole, CreateEventRequest, ListCommunitiesRequest};
use testkit::member;

use crate::{
    gatherings::VISITOR,
    graph::{Graph, told},
};

#[tokio::test]
async fn nothing_of_the_member_is_left_and_kept_counts_are_true() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    // The member stands on every side of everything, and is the lower and the greater id of a pair.
    graph.connect(1, 5, 2, "accepted").await;
    graph.connect(2, 9, 5, "pending").await;
    graph.connect(3, 5, 7, "rejected").await;
    graph.connect(4, 2, 9, "accepted").await;
    graph.gather(10, &[5, 2]).await;
    graph.gather(11, &[2, 5, 9]).await;
    graph.announce(20, now, now + TimeDelta::days(1), &[5, 2]).await;
    graph.dismiss(5, 3).await;
    graph.dismiss(3, 5).await;
    graph.block(5, 4).await;
    graph.block(4, 5).await;
    let database = graph.harness.database();
    graph.registers(5, "Yale", "Boston").await;
    let key = Some("k".to_owned());
    let request = CreateEventRequest { text: Some(graph.poster("Finals")), idempotency_key: key };
    told(graph.client.clone().create_event(graph.by(5, request)).await).unwrap();
    let everywhere = [
        "attendances",
        "blocks",
        "connections",
        "dismissed_suggestions",
        "events",
        "idempotency_keys",
        "member_counts",
        "members",
        "memberships",
    ];
    assert_eq!(database.tables_naming(member(5)).await, everywhere);

    for _ in 0..2 {
        graph.erase(5).await;
    }

    assert_eq!(database.tables_naming(member(5)).await, Vec::<String>::new());
    assert_eq!(database.tables_naming(member(2)).await, ["attendances", "connections", "member_counts", "memberships"]);
    graph.assert_true().await;
    graph.harness.stop().await;
}

#[tokio::test]
async fn counts_are_true_whether_the_account_was_closed_before_or_not() {
    let graph = Graph::empty().await;
    let now = graph.harness.clock.now();
    for who in [1, 2] {
        graph.connect(who, who, 9, "accepted").await;
        graph.connect(who + 10, who, 8, "pending").await;
        graph.gather(who + 20, &[9, who]).await;
        graph.announce(who + 30, now, now + TimeDelta::days(1), &[9, who]).await;
    }
    graph.close(1).await;
    for who in [1, 2] {
        graph.erase(who).await;
        graph.assert_true().await;
    }
    assert_eq!((graph.connections_of(9).await.total, graph.requests_of(8).await.total), (0, 0));
}

#[tokio::test]
async fn a_community_falls_to_its_oldest_member_and_an_empty_one_goes() {
    let graph = Graph::empty().await;
    graph.gather(1, &[5, 2, 3]).await;
    graph.gather(2, &[5]).await;
    graph.gather(3, &[6, 5]).await;
    let later = format!(
        "update social_graph.memberships set joined_at = joined_at + interval '1 hour' where member_id = '{}'",
        member(2)
    );
    graph.harness.database().run(later).await;
    graph.erase(5).await;
    let owners = "select c.name || ': ' || m.member_id from social_graph.communities c
        join social_graph.memberships m on m.community_id = c.id and m.role = 'owner' order by c.name";
    let owners: Vec<String> = sqlx::query_scalar(owners).fetch_all(graph.harness.pool()).await.unwrap();
    assert_eq!(owners, [format!("Community 1: {}", member(3)), format!("Community 3: {}", member(6))]);
    let left = graph.communities(VISITOR, ListCommunitiesRequest::default()).await;
    assert_eq!((left.communities.len(), left.total), (2, 2));
    let mut told = graph.told_of_communities().await;
    told.sort();
    assert_eq!(told, ["CommunityJoined", "CommunityLeft", "CommunityLeft", "CommunityLeft", "CommunityRemoved"]);
    graph.assert_true().await;
    graph.harness.stop().await;
}

#[tokio::test]
async fn a_community_falls_to_somebody_who_is_there() {
    let graph = Graph::empty().await;
    let id = graph.founds(1, "Moot").await.unwrap().id;
    for who in [2, 3, 4, 5] {
        graph.joins(who, &id).await.unwrap();
        graph.harness.clock.advance(TimeDelta::hours(1));
    }
    graph.appoints(1, &id, 5, CommunityRole::Owner).await.unwrap();
    // The other owner's account is closed, and that of whoever is longest in it.
    graph.close(5).await;
    graph.close(2).await;
    graph.erase(1).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(3, true), (4, false)]);
    graph.reopen(5).await;
    graph.reopen(2).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(3, true), (5, true), (2, false), (4, false)]);
    // Whoever owned nothing leaves nothing behind, and another owner is heir enough.
    graph.erase(4).await;
    graph.erase(3).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(5, true), (2, false)]);
    graph.assert_told().await;
    graph.assert_true().await;
}
