//! Law school resources, and what is sent to suggest one.

use portia_proto::news as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ResourceType {
    /// To read.
    Article,
    /// To follow.
    Guide,
    /// To learn from.
    StudyMaterial,
    /// A case in short.
    CaseBrief,
}

impl ResourceType {
    /// As the contract spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Guide => "guide",
            Self::StudyMaterial => "study-material",
            Self::CaseBrief => "case-brief",
        }
    }
}

/// Something to study with.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is about.
    #[schema(required)]
    pub description: Option<String>,
    /// Null for one of Portia's own.
    #[schema(required)]
    pub url: Option<String>,
    /// article, guide, study-material or case-brief; any other is shown as an article.
    #[serde(rename = "type")]
    pub kind: String,
}

impl From<wire::Resource> for Resource {
    fn from(resource: wire::Resource) -> Self {
        Self {
            id: resource.id,
            title: resource.title,
            description: resource.description,
            url: resource.url,
            kind: resource.r#type,
        }
    }
}

/// What should be among the resources.
#[derive(Deserialize, ToSchema)]
pub struct SuggestResource {
    /// 1 to 200 characters.
    pub title: String,
    /// At most 2,000 characters; blank means none.
    pub description: Option<String>,
    /// http(s).
    pub url: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ResourceType,
}

impl From<SuggestResource> for wire::SuggestResourceRequest {
    fn from(suggested: SuggestResource) -> Self {
        Self {
            title: suggested.title,
            description: suggested.description.unwrap_or_default(),
            url: suggested.url,
            r#type: suggested.kind.name().to_owned(),
        }
    }
}
