//! The facts of requests to join a community, and of invitations.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::social_graph::{
    CommunityInvitationRemoved, CommunityInvited, CommunityJoinRequestRemoved, CommunityJoinRequested, CommunityJoined,
};
use sqlx::PgConnection;
use uuid::Uuid;

use super::community_joined;
use crate::{
    communities::{Role, invitations::EndedInvitation},
    error::Error,
};

/// Publishes that `member` asks the `moderators` of a community to join.
pub async fn publish_join_requested(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    moderators: &[Uuid],
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityJoinRequested {
        community_id: community.to_string(),
        member_id: member.to_string(),
        moderator_ids: moderators.iter().map(ToString::to_string).collect(),
    };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

pub async fn publish_join_request_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityJoinRequestRemoved { community_id: community.to_string(), member_id: member.to_string() };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

/// Publishes the membership of a member whose request `moderator` approved.
pub async fn publish_join_approved(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    moderator: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let joined = community_joined(community, member, Role::Member);
    let fact = CommunityJoined { approved_by_id: Some(moderator.to_string()), ..joined };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

pub async fn publish_invited(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    invited_by: Uuid,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityInvited {
        community_id: community.to_string(),
        member_id: member.to_string(),
        invited_by_id: invited_by.to_string(),
    };
    Ok(outbox.publish(db, community, &fact, at).await?)
}

/// Publishes the end of invitations that their members saw.
pub async fn publish_invitations_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    ended: &[EndedInvitation],
    at: DateTime<Utc>,
) -> Result<(), Error> {
    for ended in ended.iter().filter(|ended| !ended.is_withheld) {
        publish_invitation_removed(outbox, db, ended.community_id, ended.member_id, ended.invited_by, at).await?;
    }
    Ok(())
}

pub async fn publish_invitation_removed(
    outbox: &Outbox,
    db: &mut PgConnection,
    community: Uuid,
    member: Uuid,
    invited_by: Option<Uuid>,
    at: DateTime<Utc>,
) -> Result<(), Error> {
    let fact = CommunityInvitationRemoved {
        community_id: community.to_string(),
        member_id: member.to_string(),
        invited_by_id: invited_by.map(|id| id.to_string()),
    };
    Ok(outbox.publish(db, community, &fact, at).await?)
}
