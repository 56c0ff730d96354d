//! Who sees a community and how members join it; requests to join, and invitations.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::views::Community;
use crate::{
    api::members::{cache::MemberCards, views::Author},
    edge::timestamps::required_moment,
};

/// Who sees a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommunityVisibility {
    /// Everyone.
    Public,
    /// Its members and invited members. It is joined by invitation.
    Private,
}

impl CommunityVisibility {
    pub(super) const fn of(visibility: pb::CommunityVisibility) -> Self {
        match visibility {
            pb::CommunityVisibility::Private => Self::Private,
            pb::CommunityVisibility::Public | pb::CommunityVisibility::Unspecified => Self::Public,
        }
    }

    /// The value in requests; absent is unspecified.
    pub(super) fn requested(visibility: Option<Self>) -> i32 {
        match visibility {
            None => pb::CommunityVisibility::Unspecified,
            Some(Self::Public) => pb::CommunityVisibility::Public,
            Some(Self::Private) => pb::CommunityVisibility::Private,
        }
        .into()
    }
}

/// How members join a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommunityJoining {
    /// At once.
    Open,
    /// An owner or moderator approves.
    Request,
    /// An owner or moderator invites them.
    Invitation,
}

impl CommunityJoining {
    pub(super) const fn of(joining: pb::CommunityJoining) -> Self {
        match joining {
            pb::CommunityJoining::Request => Self::Request,
            pb::CommunityJoining::Invitation => Self::Invitation,
            pb::CommunityJoining::Open | pb::CommunityJoining::Unspecified => Self::Open,
        }
    }

    /// The value in requests; absent is unspecified.
    pub(super) fn requested(joining: Option<Self>) -> i32 {
        match joining {
            None => pb::CommunityJoining::Unspecified,
            Some(Self::Open) => pb::CommunityJoining::Open,
            Some(Self::Request) => pb::CommunityJoining::Request,
            Some(Self::Invitation) => pb::CommunityJoining::Invitation,
        }
        .into()
    }
}

/// What connects the caller with a community that they do not belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommunityStanding {
    /// The caller asks to join.
    Requested,
    /// The caller is invited.
    Invited,
}

impl CommunityStanding {
    pub(super) const fn of(standing: pb::CommunityStanding) -> Option<Self> {
        match standing {
            pb::CommunityStanding::Unspecified => None,
            pb::CommunityStanding::Requested => Some(Self::Requested),
            pb::CommunityStanding::Invited => Some(Self::Invited),
        }
    }
}

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
