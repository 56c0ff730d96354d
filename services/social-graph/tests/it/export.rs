//! The data export contains all rows of the member and no action of others.

use chrono::TimeDelta;
use portia_proto::social_graph::{ConnectionStatus, ExportMemberRequest, ExportMemberResponse};
use primitives::error::ErrorKind;
use serde_json::{Value, json};
use testkit::member;

use crate::{
    community_admission::{INVITATION, PRIVATE, PUBLIC, REQUEST},
    fixtures::{Fixture, into_result, row_id},
};

impl Fixture {
    async fn export(&self, who: u128) -> Vec<(String, Value)> {
        let mut stream =
            into_result(self.client.clone().export_member(self.as_member(who, ExportMemberRequest {})).await).unwrap();
        let mut records = Vec::new();
        while let Some(ExportMemberResponse { section, json }) = stream.message().await.unwrap() {
            records.push((section, serde_json::from_str(&json).unwrap()));
        }
        records
    }
}

#[tokio::test]
async fn every_section_contains_the_members_own_rows() {
    let graph = Fixture::empty().await;
    let (start, text) = (graph.harness.clock.now(), |at: chrono::DateTime<chrono::Utc>| json!(at));
    let id = |n| member(n).to_string();
    let friend = graph.connect_pair(1, 2).await;
    let rejected = graph.create_pending_request(1, 3).await;
    graph.answer(3, &rejected, ConnectionStatus::Rejected).await.unwrap();
    graph.harness.clock.advance(TimeDelta::seconds(1));
    let waiting = graph.create_pending_request(4, 1).await;
    graph.insert_dismissal(1, 5).await;
    graph.insert_dismissal(6, 1).await;
    graph.block_member(1, 7).await.unwrap();
    graph.block_member(8, 1).await.unwrap();
    graph.follow(1, 2).await.unwrap();
    graph.follow(3, 1).await.unwrap();
    graph.insert_community(9, &[1, 2]).await;
    graph.insert_event(10, start, start + TimeDelta::hours(2), &[1, 2]).await;
    graph.connect_pair(2, 3).await;

    let moment = start + TimeDelta::seconds(1);
    let expected = [
        (
            "connections",
            json!({"id": friend, "memberId": id(2), "requestedByMe": true, "requestedAt": text(start), "acceptedAt": text(start)}),
        ),
        (
            "connection-requests",
            json!({"id": rejected, "memberId": id(3), "requestedByMe": true, "status": "rejected",
                "requestedAt": text(start), "answeredAt": text(start)}),
        ),
        (
            "connection-requests",
            json!({"id": waiting, "memberId": id(4), "requestedByMe": false, "status": "pending",
                "requestedAt": text(moment), "answeredAt": null}),
        ),
        ("dismissed-suggestions", json!({"memberId": id(5), "dismissedAt": "2026-01-01T00:00:00Z"})),
        ("blocks", json!({"memberId": id(7), "blockedAt": text(moment)})),
        ("followed-members", json!({"memberId": id(2), "followedAt": text(moment)})),
        (
            "memberships",
            json!({"communityId": row_id(9), "community": "Community 9", "role": "owner",
                "joinedAt": text(moment - TimeDelta::minutes(9))}),
        ),
        (
            "attendances",
            json!({"eventId": row_id(10), "event": "Event 10", "startsAt": text(start), "saidAt": "2026-01-01T00:00:00Z"}),
        ),
        (
            "events-organised",
            json!({"id": row_id(10), "title": "Event 10", "description": null, "location": null,
                "startsAt": text(start), "endsAt": text(start + TimeDelta::hours(2)),
                "timeZone": "America/New_York", "createdAt": text(start)}),
        ),
    ];
    let expected: Vec<(String, Value)> = expected.map(|(section, record)| (section.to_owned(), record)).to_vec();
    assert_eq!(graph.export(1).await, expected);
    // Dismissals and blocks appear only in the export of their author.
    assert!(graph.export(5).await.is_empty() && graph.export(7).await.is_empty());
    assert_eq!(graph.export(99).await, vec![]);
}

#[tokio::test]
async fn a_large_export_is_streamed_and_stops_when_the_client_disconnects() {
    let graph = Fixture::empty().await;
    let me = member(1);
    let sql = format!(
        "insert into social_graph.dismissed_suggestions (member_id, dismissed_id, dismissed_at)
        select '{me}', gen_random_uuid(), '2026-01-01' from generate_series(1, 10000)"
    );
    graph.harness.database().run(sql).await;
    let mut client = graph.client.clone();
    // Twenty clients disconnect after the first record. Each would hold one of ten connections if its export continued.
    for _ in 0..20 {
        let mut stream = into_result(client.export_member(graph.as_member(1, ExportMemberRequest {})).await).unwrap();
        assert!(stream.message().await.unwrap().is_some());
    }
    assert_eq!(graph.export(1).await.len(), 10_000);
}

#[tokio::test]
async fn visitors_are_refused() {
    let graph = Fixture::empty().await;
    let visitor = graph.harness.actors.service("gateway").request(ExportMemberRequest {}).unwrap();
    let refused = into_result(graph.client.clone().export_member(visitor).await).map(drop).unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unauthenticated);
}

#[tokio::test]
async fn own_actions_in_a_community_are_exported_and_those_of_others_are_not() {
    let graph = Fixture::empty().await;
    let community = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &community).await.unwrap();
    graph.remove_member(1, &community, 2, true).await.unwrap();
    let expected = json!({
        "communityId": community, "community": "Moot", "action": "member_banned",
        "memberId": member(2).to_string(), "role": null, "reason": "spam",
        "actedAt": json!(graph.harness.clock.now()),
    });
    let actions: Vec<_> =
        graph.export(1).await.into_iter().filter(|(section, _)| section == "community-actions").collect();
    assert_eq!(actions, [("community-actions".to_owned(), expected)]);
    // The ban itself, without its author.
    let expected = json!({
        "communityId": community, "community": "Moot", "reason": "spam", "bannedAt": json!(graph.harness.clock.now()),
    });
    assert_eq!(graph.export(2).await, [("community-bans".to_owned(), expected)]);
}

#[tokio::test]
async fn a_ban_from_a_private_community_is_exported_to_its_former_members_only() {
    let graph = Fixture::empty().await;
    let id = graph.create_community(1, "Moot").await.unwrap().id;
    graph.join_community(2, &id).await.unwrap();
    graph.register([3]).await;
    graph.set_access(1, &id, "Moot", PRIVATE, INVITATION).await.unwrap();
    for who in [2, 3] {
        graph.remove_member(1, &id, who, true).await.unwrap();
    }
    let bans = async |who| -> Vec<Value> {
        let records = graph.export(who).await.into_iter();
        records.filter(|(section, _)| section == "community-bans").map(|(_, record)| record).collect()
    };
    let [ban] = bans(2).await.try_into().unwrap();
    assert_eq!((&ban["communityId"], &ban["community"]), (&json!(id), &Value::Null));
    assert!(bans(3).await.is_empty(), "a stranger does not learn of the community");
}

#[tokio::test]
async fn a_declined_request_and_no_unseen_invitation_is_exported() {
    let graph = Fixture::empty().await;
    let id = graph.create_community_with(1, "Asking", PUBLIC, REQUEST).await.unwrap().id;
    let private = graph.create_community_with(1, "Private", PRIVATE, INVITATION).await.unwrap().id;
    graph.register([2]).await;
    graph.join_community(2, &id).await.unwrap();
    graph.answer_join_request(1, &id, 2, false).await.unwrap();
    graph.block_member(2, 1).await.unwrap();
    graph.invite(1, &private, 2).await.unwrap();
    let now = json!(graph.harness.clock.now());
    let records: Vec<_> =
        graph.export(2).await.into_iter().filter(|(section, _)| section.starts_with("community-")).collect();
    let declined = json!({"communityId": id, "community": "Asking", "declinedAt": now});
    assert_eq!(records, [("community-request-declines".to_owned(), declined)]);
}

#[tokio::test]
async fn requests_and_invitations_are_exported_without_the_names_of_communities_that_the_member_does_not_see() {
    let graph = Fixture::empty().await;
    let asking = graph.create_community_with(1, "Asking", PUBLIC, REQUEST).await.unwrap().id;
    let private = graph.create_community_with(1, "Private", PRIVATE, INVITATION).await.unwrap().id;
    // Known to the service.
    graph.create_community(2, "Own").await.unwrap();
    graph.join_community(2, &asking).await.unwrap();
    graph.invite(1, &private, 2).await.unwrap();
    let now = json!(graph.harness.clock.now());
    let sections = async || -> Vec<_> {
        let records = graph.export(2).await.into_iter();
        records.filter(|(section, _)| section.starts_with("community-")).collect()
    };
    let request = json!({"communityId": asking, "community": "Asking", "requestedAt": now});
    let invitation = json!({"communityId": private, "community": "Private", "invitedAt": now, "declinedAt": null});
    let expected = |invitation| {
        [("community-requests".to_owned(), request.clone()), ("community-invitations".to_owned(), invitation)]
    };
    assert_eq!(sections().await, expected(invitation));
    graph.leave_private_community(2, &private).await.unwrap();
    let declined = json!({"communityId": private, "community": null, "invitedAt": now, "declinedAt": now});
    assert_eq!(sections().await, expected(declined));
}
