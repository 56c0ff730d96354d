//! Erasure removes every row of the member and corrects the counts.

use chrono::TimeDelta;
use portia_proto::social_graph::{CommunityRole, CreateEventRequest, ListCommunitiesRequest};
use testkit::member;

use crate::{
    actors::VISITOR,
    community_admission::{INVITATION, PRIVATE, PUBLIC, REQUEST},
    fixtures::{Fixture, into_result},
};

#[tokio::test]
async fn an_erased_member_has_no_rows_and_the_counts_are_correct() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    // The member is on each side of every relation, as the lower and as the greater id of a pair.
    graph.insert_connection(1, 5, 2, "accepted").await;
    graph.insert_connection(2, 9, 5, "pending").await;
    graph.insert_connection(3, 5, 7, "rejected").await;
    graph.insert_connection(4, 2, 9, "accepted").await;
    graph.insert_community(10, &[5, 2]).await;
    graph.insert_community(11, &[2, 5, 9]).await;
    graph.insert_event(20, now, now + TimeDelta::days(1), &[5, 2]).await;
    graph.insert_dismissal(5, 3).await;
    graph.insert_dismissal(3, 5).await;
    graph.insert_block(5, 4).await;
    graph.insert_block(4, 5).await;
    graph.follow(5, 3).await.unwrap();
    graph.follow(3, 5).await.unwrap();
    let database = graph.harness.database();
    graph.publish_registration(5, "Yale", "Boston").await;
    let key = Some("k".to_owned());
    let request = CreateEventRequest { text: Some(graph.event_text("Finals")), idempotency_key: key };
    into_result(graph.client.clone().create_event(graph.as_member(5, request)).await).unwrap();
    // The member is banned from a community and moderates another, where they ban a member.
    let banning = graph.create_community(2, "Banning").await.unwrap().id;
    graph.remove_member(2, &banning, 5, true).await.unwrap();
    let own = graph.create_community(5, "Own").await.unwrap().id;
    graph.join_community(9, &own).await.unwrap();
    graph.remove_member(5, &own, 9, true).await.unwrap();
    // The member invites a member, is invited, and asks to join.
    graph.invite(5, &own, 2).await.unwrap();
    let asking = graph.create_community_with(2, "Asking", PUBLIC, REQUEST).await.unwrap().id;
    graph.join_community(5, &asking).await.unwrap();
    let declining = graph.create_community_with(2, "Declining", PUBLIC, REQUEST).await.unwrap().id;
    graph.join_community(5, &declining).await.unwrap();
    graph.answer_join_request(2, &declining, 5, false).await.unwrap();
    let inviting = graph.create_community_with(2, "Inviting", PRIVATE, INVITATION).await.unwrap().id;
    graph.invite(2, &inviting, 5).await.unwrap();
    let everywhere = [
        "attendances",
        "blocks",
        "community_bans",
        "community_invitations",
        "community_log",
        "community_request_declines",
        "community_requests",
        "connections",
        "dismissed_suggestions",
        "events",
        "follows",
        "idempotency_keys",
        "member_counts",
        "members",
        "memberships",
    ];
    assert_eq!(database.tables_referencing(member(5)).await, everywhere);

    for _ in 0..2 {
        graph.erase(5).await;
    }

    assert_eq!(database.tables_referencing(member(5)).await, Vec::<String>::new());
    assert_eq!(
        database.tables_referencing(member(2)).await,
        ["attendances", "community_log", "connections", "member_counts", "members", "memberships"]
    );
    graph.assert_invariants().await;
    graph.harness.stop().await;
}

#[tokio::test]
async fn counts_are_correct_for_erased_open_and_closed_accounts() {
    let graph = Fixture::empty().await;
    let now = graph.harness.clock.now();
    for who in [1, 2] {
        graph.insert_connection(who, who, 9, "accepted").await;
        graph.insert_connection(who + 10, who, 8, "pending").await;
        graph.insert_community(who + 20, &[9, who]).await;
        graph.insert_event(who + 30, now, now + TimeDelta::days(1), &[9, who]).await;
    }
    graph.deactivate(1).await;
    for who in [1, 2] {
        graph.erase(who).await;
        graph.assert_invariants().await;
    }
    assert_eq!((graph.connections_of(9).await.total, graph.requests_of(8).await.total), (0, 0));
}

#[tokio::test]
async fn a_community_passes_to_its_longest_member_and_an_empty_one_is_deleted() {
    let graph = Fixture::empty().await;
    graph.insert_community(1, &[5, 2, 3]).await;
    graph.insert_community(2, &[5]).await;
    graph.insert_community(3, &[6, 5]).await;
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
    let mut published = graph.published_community_facts().await;
    published.sort();
    assert_eq!(published, ["CommunityJoined", "CommunityLeft", "CommunityLeft", "CommunityLeft", "CommunityRemoved"]);
    graph.assert_invariants().await;
    graph.harness.stop().await;
}

#[tokio::test]
async fn a_community_passes_to_a_member_with_an_open_account() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    for who in [2, 3, 4, 5] {
        graph.join_community(who, &id).await.unwrap();
        graph.harness.clock.advance(TimeDelta::hours(1));
    }
    graph.set_role(1, &id, 5, CommunityRole::Owner).await.unwrap();
    // The other owner and the longest member have closed accounts.
    graph.deactivate(5).await;
    graph.deactivate(2).await;
    graph.erase(1).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(3, true), (4, false)]);
    graph.reactivate(5).await;
    graph.reactivate(2).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(3, true), (5, true), (2, false), (4, false)]);
    // A member without ownership changes no role, and with another owner the community does not pass on.
    graph.erase(4).await;
    graph.erase(3).await;
    assert_eq!(graph.members(VISITOR, &id, 0).await, [(5, true), (2, false)]);
    graph.assert_community_facts().await;
    graph.assert_invariants().await;
}
