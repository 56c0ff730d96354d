//! The facts of requests to join a community, and of invitations.

use outbox::UnitOfWork;
use portia_proto::social_graph::{
    CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved, CommunityJoinRequested, CommunityJoined,
};
use uuid::Uuid;

use super::community_joined;
use crate::{error::Error, role::Role};

/// Publishes that `member` asks the `moderators` of a community to join.
pub async fn publish_join_requested(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
    moderators: &[Uuid],
) -> Result<(), Error> {
    let fact = CommunityJoinRequested {
        community_id: community.to_string(),
        member_id: member.to_string(),
        moderator_ids: moderators.iter().map(ToString::to_string).collect(),
    };
    Ok(work.publish(community, &fact).await?)
}

pub async fn publish_join_request_removed(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
) -> Result<(), Error> {
    let fact = CommunityJoinRequestRemoved { community_id: community.to_string(), member_id: member.to_string() };
    Ok(work.publish(community, &fact).await?)
}

/// Publishes the membership of a member whose request `moderator` approved.
pub async fn publish_join_approved(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
    moderator: Uuid,
) -> Result<(), Error> {
    let joined = community_joined(community, member, Role::Member);
    let fact = CommunityJoined { approved_by_id: Some(moderator.to_string()), ..joined };
    Ok(work.publish(community, &fact).await?)
}

pub async fn publish_invited(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
    invited_by: Uuid,
) -> Result<(), Error> {
    let fact = CommunityInvited {
        community_id: community.to_string(),
        member_id: member.to_string(),
        invited_by_id: invited_by.to_string(),
    };
    Ok(work.publish(community, &fact).await?)
}

pub async fn publish_invitation_removed(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
    invited_by: Option<Uuid>,
) -> Result<(), Error> {
    let fact = CommunityInvitationRemoved {
        community_id: community.to_string(),
        member_id: member.to_string(),
        invited_by_id: invited_by.map(|id| id.to_string()),
    };
    Ok(work.publish(community, &fact).await?)
}
