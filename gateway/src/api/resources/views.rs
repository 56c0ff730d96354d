//! Law school resources, and the request to suggest one.

use portia_proto::news as pb;
use serde::Deserialize;
use utoipa::ToSchema;

pub use crate::api::contract::news::Resource;

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
