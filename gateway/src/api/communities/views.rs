//! Communities, who belongs to them, and what is sent to found or change one.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::members::views::Author,
    edge::timestamps::{named, required_moment},
};

/// What a member is in a community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CommunityRole {
    /// May change what it says of itself, and who owns it.
    Owner,
    /// May read and post.
    Member,
}

impl CommunityRole {
    fn of(role: wire::CommunityRole) -> Option<Self> {
        match role {
            wire::CommunityRole::Owner => Some(Self::Owner),
            wire::CommunityRole::Member => Some(Self::Member),
            wire::CommunityRole::Unspecified => None,
        }
    }
}

impl From<CommunityRole> for wire::CommunityRole {
    fn from(role: CommunityRole) -> Self {
        match role {
            CommunityRole::Owner => Self::Owner,
            CommunityRole::Member => Self::Member,
        }
    }
}

/// A community, as lists carry it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Community {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it is about.
    #[schema(required)]
    pub description: Option<String>,
    /// How many belong to it.
    pub member_count: i64,
    /// What the asker is in it; null when nothing, and for visitors.
    #[schema(required)]
    pub role: Option<CommunityRole>,
    /// When it was founded.
    pub created_at: DateTime<Utc>,
}

impl From<wire::Community> for Community {
    fn from(community: wire::Community) -> Self {
        Self {
            role: CommunityRole::of(community.role()),
            id: community.id,
            name: community.name,
            description: community.description,
            member_count: community.member_count,
            created_at: required_moment(community.created_at),
        }
    }
}

/// A community, whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityDetails {
    /// As lists carry it.
    #[serde(flatten)]
    pub community: Community,
    /// What its owners expect of members.
    #[schema(required)]
    pub rules: Option<String>,
}

impl From<wire::Community> for CommunityDetails {
    fn from(mut community: wire::Community) -> Self {
        let rules = community.rules.take();
        Self { community: community.into(), rules }
    }
}

/// Somebody who belongs to a community.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommunityMember {
    /// Who.
    pub user: Author,
    /// What they are in it.
    pub role: CommunityRole,
    /// Since when they belong to it.
    pub joined_at: DateTime<Utc>,
}

impl CommunityMember {
    /// With the member.
    pub fn of(member: &wire::CommunityMember, people: &MemberCards) -> Self {
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
    /// 1 to 100 characters; no two communities share one. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    name: String,
    /// At most 500 characters.
    description: Option<String>,
    /// At most 5,000 characters.
    rules: Option<String>,
}

impl From<CreateCommunity> for wire::CommunityText {
    fn from(body: CreateCommunity) -> Self {
        Self { name: body.name, description: body.description, rules: body.rules }
    }
}

/// What changes of a community. A field that is left out stays; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateCommunity {
    /// 1 to 100 characters; cannot be cleared.
    #[serde(default, deserialize_with = "named")]
    name: Option<String>,
    /// At most 500 characters.
    #[serde(default, deserialize_with = "named")]
    description: Option<String>,
    /// At most 5,000 characters.
    #[serde(default, deserialize_with = "named")]
    rules: Option<String>,
}

impl UpdateCommunity {
    /// Whether every field was sent.
    pub const fn is_whole(&self) -> bool {
        self.name.is_some() && self.description.is_some() && self.rules.is_some()
    }

    /// All it says from now on: what was sent, and of the rest what it said.
    pub fn over(self, said: wire::Community) -> wire::CommunityText {
        let text = |sent: Option<String>, said: Option<String>| sent.or(said).filter(|text| !text.is_empty());
        wire::CommunityText {
            name: self.name.unwrap_or(said.name),
            description: text(self.description, said.description),
            rules: text(self.rules, said.rules),
        }
    }
}

/// What a member of a community is to be.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetCommunityRole {
    /// The role.
    pub role: CommunityRole,
}
