//! Communities and their members, and the requests to create and update them.

use portia_proto::social_graph as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::edge::timestamps::{present, present_text};

pub use crate::api::contract::social_graph::{
    Community, CommunityJoining, CommunityMember, CommunityRole, CommunityVisibility,
};

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
    pub fn of(self, idempotency_key: Option<String>) -> pb::CreateCommunityRequest {
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
