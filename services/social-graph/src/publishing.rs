//! The facts that social-graph publishes.

pub mod admissions;
pub mod events;
mod snapshot;

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::social_graph::{
    CommunityChanged, CommunityJoined, CommunityLeft, CommunityRemoved, ConnectionAccepted, ConnectionRemoved,
    ConnectionRequested, MemberBlocked, MemberErased, MemberFollowed, MemberUnblocked, MemberUnfollowed,
    MemberVisibilityChanged,
};
use primitives::clock::timestamp;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    communities::Role,
    connections::transitions::{ConnectionChange, Transition},
    error::Error,
    follows::FollowPair,
};

pub use snapshot::GraphSnapshot;

/// Publishes the change of a connection, if there was one.
pub async fn publish_transition(
    outbox: &Outbox,
    db: &mut PgConnection,
    transition: &Transition,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let (key, requester, recipient) =
        (transition.connection.id, transition.connection.requester_id, transition.connection.recipient_id);
    match transition.change {
        Some(ConnectionChange::Requested) => {
            outbox.publish(db, key, &connection_requested(key, requester, recipient), at).await?
        }
        Some(ConnectionChange::Accepted) => {
            outbox.publish(db, key, &connection_accepted(key, requester, recipient), at).await?
        }
        Some(ConnectionChange::Removed) => {
            outbox.publish(db, key, &connection_removed(key, requester, recipient), at).await?
        }
        None => {}
    }
    Ok(())
}

/// Publishes a connection or a pending request that was inserted without a transition.
pub async fn publish_existing_connection(
    outbox: &Outbox,
    db: &mut PgConnection,
    id: Uuid,
    requester: Uuid,
    recipient: Uuid,
    connected: bool,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    if connected {
        Ok(outbox.publish(db, id, &connection_accepted(id, requester, recipient), at).await?)
    } else {
        Ok(outbox.publish(db, id, &connection_requested(id, requester, recipient), at).await?)
    }
}

pub async fn publish_blocked(
    outbox: &Outbox,
    db: &mut PgConnection,
    blocker: Uuid,
    blocked: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, blocker, &member_blocked(blocker, blocked), at).await?)
}

pub async fn publish_unblocked(
    outbox: &Outbox,
    db: &mut PgConnection,
    blocker: Uuid,
    blocked: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = MemberUnblocked { blocker_id: blocker.to_string(), blocked_id: blocked.to_string() };
    Ok(outbox.publish(db, blocker, &fact, at).await?)
}

pub async fn publish_followed(
    outbox: &Outbox,
    db: &mut PgConnection,
    pair: FollowPair,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, pair.follower_id, &member_followed(pair, at), at).await?)
}

pub async fn publish_unfollowed(
    outbox: &Outbox,
    db: &mut PgConnection,
    pair: FollowPair,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact =
        MemberUnfollowed { follower_id: pair.follower_id.to_string(), followed_id: pair.followed_id.to_string() };
    Ok(outbox.publish(db, pair.follower_id, &fact, at).await?)
}

/// Publishes a new or changed community, with its name.
pub async fn publish_community_changed(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    name: &str,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, community, &community_changed(community, name), at).await?)
}

/// Publishes that a public community became private.
pub async fn publish_community_hidden(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    name: &str,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityChanged { became_private: true, ..community_changed(community, name) };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

pub async fn publish_community_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, community, &CommunityRemoved { community_id: community.to_string() }, at).await?)
}

/// Publishes a membership or its new role, also for a closed account. Closing an account ends no membership: consumers
/// learn of closed accounts from auth and keep the memberships for when the account is reopened.
pub async fn publish_community_joined(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    role: Role,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, community, &community_joined(community, member, role), at).await?)
}

pub async fn publish_community_left(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityLeft { community_id: community.to_string(), member_id: member.to_string() };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

/// Publishes that the rows of a member were deleted. Auth's fact says so too, but has no place in the order of this outbox: a
/// consumer may apply it before rows of an earlier snapshot.
pub async fn publish_erased(
    outbox: &Outbox,
    db: &mut PgConnection,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    Ok(outbox.publish(db, member, &MemberErased { member_id: member.to_string() }, at).await?)
}

/// Publishes that members were hidden or shown, in the transaction that did so. Other services learn it from auth; this fact has
/// a place in the order of this outbox, by which replicas keep their memory of connections current.
pub async fn publish_visibility(
    outbox: &Outbox,
    db: &mut PgConnection,
    members: &[Uuid],
    is_hidden: bool,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = |member: &Uuid| (*member, MemberVisibilityChanged { member_id: member.to_string(), is_hidden });
    let facts: Vec<_> = members.iter().map(fact).collect();
    Ok(outbox.publish_all(db, &facts, at).await?)
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

fn member_followed(pair: FollowPair, at: DateTime<Utc>) -> MemberFollowed {
    MemberFollowed {
        follower_id: pair.follower_id.to_string(),
        followed_id: pair.followed_id.to_string(),
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
