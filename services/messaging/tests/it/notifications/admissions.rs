//! Notifications of invitations to communities, of requests to join, and of their approval.

use portia_proto::social_graph::{
    CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved, CommunityJoinRequested, CommunityJoined,
    CommunityRemoved,
};

use super::{community_changed, community_joined, entity_id, member_id};
use crate::fixtures::Fixture;

fn requested(who: u128, moderators: &[u128]) -> CommunityJoinRequested {
    let moderator_ids = moderators.iter().map(|moderator| member_id(*moderator)).collect();
    CommunityJoinRequested { community_id: entity_id(1).to_string(), member_id: member_id(who), moderator_ids }
}

fn request_removed(who: u128) -> CommunityJoinRequestRemoved {
    CommunityJoinRequestRemoved { community_id: entity_id(1).to_string(), member_id: member_id(who) }
}

fn invited(who: u128, by: u128) -> CommunityInvited {
    let (community_id, invited_by_id) = (entity_id(1).to_string(), member_id(by));
    CommunityInvited { community_id, member_id: member_id(who), invited_by_id }
}

fn invitation_removed(who: u128, by: u128) -> CommunityInvitationRemoved {
    let (community_id, invited_by_id) = (entity_id(1).to_string(), Some(member_id(by)));
    CommunityInvitationRemoved { community_id, member_id: member_id(who), invited_by_id }
}

#[tokio::test]
async fn moderators_are_notified_of_requests_until_these_are_answered() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_changed(1, "Moot")).await;
    inbox.publish_graph(&community_joined(1, 1, true)).await;
    for who in [5, 6] {
        inbox.publish_graph(&requested(who, &[1, 2])).await;
    }
    for moderator in [1, 2] {
        assert_eq!(inbox.describe_notifications(moderator).await, ["CommunityJoinRequested by 6 5 (2) !"]);
    }
    assert_eq!(inbox.list_notifications(1).await[0].subject_name.as_deref(), Some("Moot"));
    inbox.publish_graph(&request_removed(5)).await;
    assert_eq!(inbox.describe_notifications(2).await, ["CommunityJoinRequested by 6 (1) !"]);
    inbox.publish_graph(&request_removed(6)).await;
    assert!(inbox.describe_notifications(1).await.is_empty() && inbox.describe_notifications(2).await.is_empty());
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_approved_member_is_notified_and_the_owners_of_the_new_member() {
    let inbox = Fixture::new().await;
    inbox.publish_graph(&community_joined(9, 1, true)).await;
    let approved = CommunityJoined { approved_by_id: Some(member_id(2)), ..community_joined(5, 1, false) };
    inbox.publish_graph(&approved).await;
    assert_eq!(inbox.describe_notifications(5).await, ["CommunityJoinApproved by 2 (1) !"]);
    assert_eq!(inbox.describe_notifications(9).await, ["CommunityJoined by 5 (1) !"]);
    inbox.assert_notification_invariants().await;
}

#[tokio::test]
async fn an_invitation_notifies_its_member_until_it_ends() {
    let inbox = Fixture::new().await;
    for who in [5, 6] {
        inbox.publish_graph(&invited(who, 2)).await;
        assert_eq!(inbox.describe_notifications(who).await, ["CommunityInvited by 2 (1) !"]);
    }
    inbox.publish_graph(&invitation_removed(5, 2)).await;
    assert!(inbox.describe_notifications(5).await.is_empty());
    assert_eq!(inbox.describe_notifications(6).await, ["CommunityInvited by 2 (1) !"], "that of another member stays");
    inbox.publish_graph(&CommunityRemoved { community_id: entity_id(1).to_string() }).await;
    assert!(inbox.describe_notifications(6).await.is_empty());
    inbox.assert_notification_invariants().await;
}
