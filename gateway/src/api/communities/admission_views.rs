//! Requests to join a community, and invitations.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use serde::Serialize;
use utoipa::ToSchema;

use super::views::Community;
use crate::{
    api::members::{cache::MemberCards, views::Author},
    edge::timestamps::required_moment,
};

/// A request to join a community.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityJoinRequest {
    /// The member who asks.
    pub user: Author,
    /// The time of the request.
    pub requested_at: DateTime<Utc>,
}

impl CommunityJoinRequest {
    /// A request with the card of the member.
    pub fn of(request: &pb::JoinRequest, people: &MemberCards) -> Self {
        Self { user: people.author(&request.member_id), requested_at: required_moment(request.requested_at) }
    }
}

/// An invitation of a community, for its owners and moderators.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityInvitation {
    /// The invited member.
    pub user: Author,
    /// The owner or moderator who invited them; null once the account is deleted.
    #[schema(required)]
    pub invited_by: Option<Author>,
    /// The time of the invitation.
    pub invited_at: DateTime<Utc>,
}

impl CommunityInvitation {
    /// An invitation with the cards of its members.
    pub fn of(invitation: &pb::CommunityInvitation, people: &MemberCards) -> Self {
        Self {
            user: people.author(&invitation.member_id),
            invited_by: invitation.invited_by_id.as_deref().map(|id| people.author(id)),
            invited_at: required_moment(invitation.invited_at),
        }
    }
}

/// An invitation of the caller.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnCommunityInvitation {
    /// The community.
    pub community: Community,
    /// The owner or moderator who invited the caller; null once the account is deleted or closed.
    #[schema(required)]
    pub invited_by: Option<Author>,
    /// The time of the invitation.
    pub invited_at: DateTime<Utc>,
}

impl OwnCommunityInvitation {
    /// An invitation with the card of its author. `None` without a community.
    pub fn of(invitation: pb::OwnInvitation, people: &MemberCards) -> Option<Self> {
        Some(Self {
            community: invitation.community?.into(),
            invited_by: invitation.invited_by_id.as_deref().map(|id| people.author(id)),
            invited_at: required_moment(invitation.invited_at),
        })
    }
}
