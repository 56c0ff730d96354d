//! Communities and their members, and the requests to create and update them.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::{CommunityJoining, CommunityStanding, CommunityVisibility};
use crate::api::members::cache::MemberCards;
use crate::{
    api::members::views::Author,
    edge::timestamps::{present, present_text, required_moment},
};

/// The role of a member in a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommunityRole {
    /// May update the community, set roles, and do what moderators do.
    Owner,
    /// May remove members and content.
    Moderator,
    /// May read and post.
    Member,
}

impl CommunityRole {
    pub(super) fn of(role: pb::CommunityRole) -> Option<Self> {
        match role {
            pb::CommunityRole::Owner => Some(Self::Owner),
            pb::CommunityRole::Moderator => Some(Self::Moderator),
            pb::CommunityRole::Member => Some(Self::Member),
            pb::CommunityRole::Unspecified => None,
        }
    }
}

impl From<CommunityRole> for pb::CommunityRole {
    fn from(role: CommunityRole) -> Self {
        match role {
            CommunityRole::Owner => Self::Owner,
            CommunityRole::Moderator => Self::Moderator,
            CommunityRole::Member => Self::Member,
        }
    }
}

/// A community, as in lists.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Community {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The name.
    pub name: String,
    /// The description.
    #[schema(required)]
    pub description: Option<String>,
    /// The number of members.
    pub member_count: i64,
    /// The role of the caller; null for visitors and members without a role.
    #[schema(required)]
    pub role: Option<CommunityRole>,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// Who sees the community.
    pub visibility: CommunityVisibility,
    /// How members join.
    pub joining: CommunityJoining,
    /// The request or invitation of the caller; null without one.
    #[schema(required)]
    pub standing: Option<CommunityStanding>,
}

impl From<pb::Community> for Community {
    fn from(community: pb::Community) -> Self {
        Self {
            visibility: CommunityVisibility::of(community.visibility()),
            joining: CommunityJoining::of(community.joining()),
            standing: CommunityStanding::of(community.standing()),
            role: CommunityRole::of(community.role()),
            id: community.id,
            name: community.name,
            description: community.description,
            member_count: community.member_count,
            created_at: required_moment(community.created_at),
        }
    }
}

/// A community with its rules.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityDetails {
    /// The community, as in lists.
    #[serde(flatten)]
    pub community: Community,
    /// The rules for members.
    #[schema(required)]
    pub rules: Option<String>,
}

impl From<pb::Community> for CommunityDetails {
    fn from(mut community: pb::Community) -> Self {
        let rules = community.rules.take();
        Self { community: community.into(), rules }
    }
}

/// A member of a community.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityMember {
    /// The member.
    pub user: Author,
    /// The role in the community.
    pub role: CommunityRole,
    /// The time of joining.
    pub joined_at: DateTime<Utc>,
}

impl CommunityMember {
    /// A membership with the card of the member.
    pub fn of(member: &pb::CommunityMember, people: &MemberCards) -> Self {
        Self {
            user: people.author(&member.member_id),
            role: CommunityRole::of(member.role()).unwrap_or(CommunityRole::Member),
            joined_at: required_moment(member.joined_at),
        }
    }
}

/// A new community.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateCommunity {
    /// The name, 1 to 100 characters. Unique. Absent counts as blank.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 100)]
    name: String,
    /// The description, at most 500 characters.
    #[schema(format = "text", max_length = 500)]
    description: Option<String>,
    /// The rules for members, at most 5,000 characters.
    #[schema(format = "text", max_length = 5000)]
    rules: Option<String>,
    /// Who sees the community; `public` by default.
    visibility: Option<CommunityVisibility>,
    /// How members join: `open` by default. A private community is joined by `invitation`, and other values are refused for it.
    joining: Option<CommunityJoining>,
}

impl CreateCommunity {
    /// The request to create the community.
    pub fn into_request(self, idempotency_key: Option<String>) -> pb::CreateCommunityRequest {
        pb::CreateCommunityRequest {
            text: Some(pb::CommunityText { name: self.name, description: self.description, rules: self.rules }),
            idempotency_key,
            visibility: CommunityVisibility::requested(self.visibility),
            joining: CommunityJoining::requested(self.joining),
        }
    }
}

/// Changes of a community. An absent field keeps its value; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateCommunity {
    /// The name, 1 to 100 characters. Cannot be cleared.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(nullable = false, format = "line", min_length = 1, max_length = 100)]
    name: Option<String>,
    /// The description, at most 500 characters.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "text", max_length = 500)]
    description: Option<String>,
    /// The rules for members, at most 5,000 characters.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "text", max_length = 5000)]
    rules: Option<String>,
    /// Who sees the community. A private community is joined by invitation.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    visibility: Option<CommunityVisibility>,
    /// How members join.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    joining: Option<CommunityJoining>,
}

impl UpdateCommunity {
    /// Whether every field was sent.
    pub const fn is_complete(&self) -> bool {
        self.name.is_some() && self.description.is_some() && self.rules.is_some()
    }

    /// The request to update the community `id`: all texts, the sent ones and the current ones of absent fields.
    pub fn merge_into(self, id: String, current: pb::Community) -> pb::UpdateCommunityRequest {
        let text = |sent: Option<String>, current: Option<String>| sent.or(current).filter(|text| !text.is_empty());
        pb::UpdateCommunityRequest {
            community_id: id,
            text: Some(pb::CommunityText {
                name: self.name.unwrap_or(current.name),
                description: text(self.description, current.description),
                rules: text(self.rules, current.rules),
            }),
            visibility: CommunityVisibility::requested(self.visibility),
            joining: CommunityJoining::requested(self.joining),
        }
    }
}

/// The new role of a member.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetCommunityRole {
    /// The new role.
    pub role: CommunityRole,
}
