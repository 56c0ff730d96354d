//! Law school resources, and the request to suggest one.

use portia_proto::news as pb;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The type of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceType {
    /// An article.
    Article,
    /// A guide.
    Guide,
    /// Study material.
    StudyMaterial,
    /// A case brief.
    CaseBrief,
}

impl ResourceType {
    /// The name in the proto.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Guide => "guide",
            Self::StudyMaterial => "study-material",
            Self::CaseBrief => "case-brief",
        }
    }
}

/// A law school resource.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The title.
    pub title: String,
    /// The description.
    #[schema(required)]
    pub description: Option<String>,
    /// The URL; null for resources of Portia.
    #[schema(required)]
    pub url: Option<String>,
    /// The type: article, guide, study-material or case-brief. Show an unknown type as an article.
    #[serde(rename = "type")]
    pub kind: String,
}

impl From<pb::Resource> for Resource {
    fn from(resource: pb::Resource) -> Self {
        Self {
            id: resource.id,
            title: resource.title,
            description: resource.description,
            url: resource.url,
            kind: resource.r#type,
        }
    }
}

/// A suggested resource.
#[derive(Deserialize, ToSchema)]
pub struct SuggestResource {
    /// The title, 1 to 200 characters.
    #[schema(format = "line", min_length = 1, max_length = 200)]
    pub title: String,
    /// The description, at most 2,000 characters. Blank means none.
    #[schema(format = "text", max_length = 2000)]
    pub description: Option<String>,
    /// The URL: http(s), at most 2,048 characters.
    #[schema(format = "link", min_length = 1, max_length = 2048)]
    pub url: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: ResourceType,
}

impl From<SuggestResource> for pb::SuggestResourceRequest {
    fn from(suggested: SuggestResource) -> Self {
        Self {
            title: suggested.title,
            description: suggested.description.unwrap_or_default(),
            url: suggested.url,
            r#type: suggested.kind.name().to_owned(),
        }
    }
}
