//! Bans, the log of a community, and the requests of its owners and moderators.

use chrono::{DateTime, Utc};
use portia_proto::{feed, social_graph as pb};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::views::CommunityRole;
use crate::{
    api::members::{cache::MemberCards, views::Author},
    edge::{extract::unless_empty, timestamps::required_moment},
};

/// The reason that an owner or moderator states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommunityReason {
    /// Against the rules of the community.
    Rules,
    /// Not about the topic of the community.
    OffTopic,
    /// Spam.
    Spam,
    /// Harassment.
    Harassment,
    /// Another reason.
    Other,
}

impl CommunityReason {
    const fn of(reason: pb::CommunityReason) -> Option<Self> {
        match reason {
            pb::CommunityReason::Unspecified => None,
            pb::CommunityReason::Rules => Some(Self::Rules),
            pb::CommunityReason::OffTopic => Some(Self::OffTopic),
            pb::CommunityReason::Spam => Some(Self::Spam),
            pb::CommunityReason::Harassment => Some(Self::Harassment),
            pb::CommunityReason::Other => Some(Self::Other),
        }
    }

    pub(super) const fn in_social_graph(self) -> pb::CommunityReason {
        match self {
            Self::Rules => pb::CommunityReason::Rules,
            Self::OffTopic => pb::CommunityReason::OffTopic,
            Self::Spam => pb::CommunityReason::Spam,
            Self::Harassment => pb::CommunityReason::Harassment,
            Self::Other => pb::CommunityReason::Other,
        }
    }

    const fn in_feed(self) -> feed::CommunityReason {
        match self {
            Self::Rules => feed::CommunityReason::Rules,
            Self::OffTopic => feed::CommunityReason::OffTopic,
            Self::Spam => feed::CommunityReason::Spam,
            Self::Harassment => feed::CommunityReason::Harassment,
            Self::Other => feed::CommunityReason::Other,
        }
    }
}

/// The parameters of `DELETE /api/communities/{id}/members/{memberId}`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RemoveCommunityMemberQuery {
    /// Whether the member cannot join again; true when absent.
    #[serde(default)]
    pub ban: Option<bool>,
    /// The reason; only for the log.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline)]
    pub reason: Option<CommunityReason>,
}

/// The parameters of the deletion of a post or comment.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteContentQuery {
    /// For an owner or moderator of the community: the reason, which the author is told. Ignored for own content.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline)]
    pub reason: Option<CommunityReason>,
}

impl DeleteContentQuery {
    /// The reason in requests to feed.
    pub fn feed_reason(&self) -> i32 {
        self.reason.map_or(feed::CommunityReason::Unspecified, CommunityReason::in_feed).into()
    }
}

/// A banned member.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityBan {
    /// The member.
    pub user: Author,
    /// The stated reason; null without one.
    #[schema(required)]
    pub reason: Option<CommunityReason>,
    /// The time of the ban.
    pub banned_at: DateTime<Utc>,
}

impl CommunityBan {
    /// A ban with the card of the member.
    pub fn of(ban: &pb::CommunityBan, people: &MemberCards) -> Self {
        Self {
            user: people.author(&ban.member_id),
            reason: CommunityReason::of(ban.reason()),
            banned_at: required_moment(ban.banned_at),
        }
    }
}

/// What an owner or moderator did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommunityAction {
    /// Set the role of the member.
    RoleSet,
    /// Made the member an owner and themselves a moderator.
    Transferred,
    /// Removed the member without a ban.
    MemberRemoved,
    /// Banned the member.
    MemberBanned,
    /// Ended the ban of the member.
    MemberUnbanned,
    /// Removed a post of the member.
    PostRemoved,
    /// Removed a comment of the member.
    CommentRemoved,
    /// The member became an owner because the account of the last one was deleted. Without an actor.
    Succeeded,
    /// Approved the request of the member to join.
    JoinApproved,
    /// Declined the request of the member to join.
    JoinDeclined,
    /// Invited the member.
    MemberInvited,
    /// Withdrew the invitation of the member.
    InvitationWithdrawn,
}

impl CommunityAction {
    const fn of(action: pb::CommunityAction) -> Option<Self> {
        Some(match action {
            pb::CommunityAction::Unspecified => return None,
            pb::CommunityAction::RoleSet => Self::RoleSet,
            pb::CommunityAction::Transferred => Self::Transferred,
            pb::CommunityAction::MemberRemoved => Self::MemberRemoved,
            pb::CommunityAction::MemberBanned => Self::MemberBanned,
            pb::CommunityAction::MemberUnbanned => Self::MemberUnbanned,
            pb::CommunityAction::PostRemoved => Self::PostRemoved,
            pb::CommunityAction::CommentRemoved => Self::CommentRemoved,
            pb::CommunityAction::Succeeded => Self::Succeeded,
            pb::CommunityAction::JoinApproved => Self::JoinApproved,
            pb::CommunityAction::JoinDeclined => Self::JoinDeclined,
            pb::CommunityAction::MemberInvited => Self::MemberInvited,
            pb::CommunityAction::InvitationWithdrawn => Self::InvitationWithdrawn,
        })
    }
}

/// An entry of the log of a community.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityLogEntry {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The action.
    pub action: CommunityAction,
    /// The owner or moderator; null once the account is deleted.
    #[schema(required)]
    pub actor: Option<Author>,
    /// The member concerned; null once the account is deleted.
    #[schema(required)]
    pub user: Option<Author>,
    /// The new role, for `role_set`; null otherwise.
    #[schema(required)]
    pub role: Option<CommunityRole>,
    /// The stated reason; null without one.
    #[schema(required)]
    pub reason: Option<CommunityReason>,
    /// The time of the action.
    pub created_at: DateTime<Utc>,
}

impl CommunityLogEntry {
    /// An entry with the cards of its members. `None` for an action that this version does not know.
    pub fn of(entry: &pb::CommunityLogEntry, people: &MemberCards) -> Option<Self> {
        Some(Self {
            id: entry.id.clone(),
            action: CommunityAction::of(entry.action())?,
            actor: entry.actor_id.as_deref().map(|id| people.author(id)),
            user: entry.member_id.as_deref().map(|id| people.author(id)),
            role: CommunityRole::of(entry.role()),
            reason: CommunityReason::of(entry.reason()),
            created_at: required_moment(entry.created_at),
        })
    }
}

/// The next owner of a community.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransferCommunity {
    /// A moderator of the community. Absent counts as blank.
    #[serde(default)]
    #[schema(required, format = Uuid)]
    pub member_id: String,
}
