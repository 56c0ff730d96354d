//! Who sees a community, how members join it, and what connects the caller with it.

use portia_proto::social_graph as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
