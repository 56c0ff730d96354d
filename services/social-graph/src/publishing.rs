//! The facts that social-graph publishes.

pub mod admissions;
pub mod events;
mod snapshot;

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
    ConnectionRequested, MemberBlocked, MemberErased, MemberFollowed, MemberUnblocked, MemberUnfollowed,
    MemberVisibilityChanged,
};
use primitives::clock::timestamp;
use uuid::Uuid;

use crate::{error::Error, role::Role};

pub use snapshot::GraphSnapshot;

/// Publishes a new request to connect.
pub async fn publish_requested(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    requester: Uuid,
    recipient: Uuid,
) -> Result<(), Error> {
    Ok(work.publish(id, &connection_requested(id, requester, recipient)).await?)
}

pub async fn publish_accepted(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    requester: Uuid,
    recipient: Uuid,
) -> Result<(), Error> {
    Ok(work.publish(id, &connection_accepted(id, requester, recipient)).await?)
}

/// Publishes the end of a connection or of a request.
pub async fn publish_removed(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    requester: Uuid,
    recipient: Uuid,
) -> Result<(), Error> {
    Ok(work.publish(id, &connection_removed(id, requester, recipient)).await?)
}

pub async fn publish_blocked(work: &mut UnitOfWork<'_>, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    Ok(work.publish(blocker, &member_blocked(blocker, blocked)).await?)
}

pub async fn publish_unblocked(work: &mut UnitOfWork<'_>, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    let fact = MemberUnblocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() };
    Ok(work.publish(blocker, &fact).await?)
}

pub async fn publish_followed(work: &mut UnitOfWork<'_>, follower: Uuid, followed: Uuid) -> Result<(), Error> {
    Ok(work.publish(follower, &member_followed(follower, followed, work.now)).await?)
}

pub async fn publish_unfollowed(work: &mut UnitOfWork<'_>, follower: Uuid, followed: Uuid) -> Result<(), Error> {
    let fact = MemberUnfollowed { follower_id: follower.to_string(), followed_id: followed.to_string() };
    Ok(work.publish(follower, &fact).await?)
}

/// Publishes a new or changed community, with its name.
pub async fn publish_community_changed(work: &mut UnitOfWork<'_>, community: Uuid, name: &str) -> Result<(), Error> {
    Ok(work.publish(community, &community_changed(community, name)).await?)
}

/// Publishes that a public community became private.
pub async fn publish_community_hidden(work: &mut UnitOfWork<'_>, community: Uuid, name: &str) -> Result<(), Error> {
    let fact = CommunityChanged { became_private: true, ..community_changed(community, name) };
    Ok(work.publish(community, &fact).await?)
}

pub async fn publish_community_removed(work: &mut UnitOfWork<'_>, community: Uuid) -> Result<(), Error> {
    Ok(work.publish(community, &CommunityRemoved { community_id: community.to_string() }).await?)
}

/// Publishes a membership or its new role, also for a closed account. Closing an account ends no membership: consumers
/// learn of closed accounts from auth and keep the memberships for when the account is reopened.
pub async fn publish_community_joined(
    work: &mut UnitOfWork<'_>,
    community: Uuid,
    member: Uuid,
    role: Role,
) -> Result<(), Error> {
    Ok(work.publish(community, &community_joined(community, member, role)).await?)
}

pub async fn publish_community_left(work: &mut UnitOfWork<'_>, community: Uuid, member: Uuid) -> Result<(), Error> {
    let fact = CommunityLeft { community_id: community.to_string(), member_id: member.to_string() };
    Ok(work.publish(community, &fact).await?)
}

/// Publishes that the rows of a member were deleted. Auth's fact says so too, but has no place in the order of this outbox: a
/// consumer may apply it before rows of an earlier snapshot.
pub async fn publish_erased(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(member, &MemberErased { member_id: member.to_string() }).await?)
}

/// Publishes that members were hidden or shown, in the transaction that did so. Other services learn it from auth; this fact has
/// a place in the order of this outbox, by which replicas keep their memory of connections current.
pub async fn publish_visibility(work: &mut UnitOfWork<'_>, members: &[Uuid], is_hidden: bool) -> Result<(), Error> {
    let fact = |member: &Uuid| (*member, MemberVisibilityChanged { member_id: member.to_string(), is_hidden });
    let facts: Vec<_> = members.iter().map(fact).collect();
    Ok(work.publish_all(&facts).await?)
}

fn connection_requested(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionRequested {
    ConnectionRequested {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn connection_accepted(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionAccepted {
    ConnectionAccepted {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn connection_removed(id: Uuid, requester: Uuid, recipient: Uuid) -> ConnectionRemoved {
    ConnectionRemoved {
        connection_id: id.to_string(),
        requester_id: requester.to_string(),
        recipient_id: recipient.to_string(),
    }
}

fn member_blocked(blocker: Uuid, blocked: Uuid) -> MemberBlocked {
    MemberBlocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() }
}

fn member_followed(follower: Uuid, followed: Uuid, at: DateTime<Utc>) -> MemberFollowed {
    MemberFollowed {
        follower_id: follower.to_string(),
        followed_id: followed.to_string(),
        followed_at: Some(timestamp(at)),
    }
}

fn community_changed(community: Uuid, name: &str) -> CommunityChanged {
    CommunityChanged { community_id: community.to_string(), name: name.to_owned(), became_private: false }
}

fn community_joined(community: Uuid, member: Uuid, role: Role) -> CommunityJoined {
    CommunityJoined {
        community_id: community.to_string(),
        member_id: member.to_string(),
        is_owner: role == Role::Owner,
        is_moderator: role == Role::Moderator,
        approved_by_id: None,
    }
}
