//! Law school resources.

use portia_proto::news as pb;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::edge::extract::unless_empty;

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

/// The query of `listResources`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListResourcesQuery {
    /// Only resources of this type. All types when absent or empty.
    #[serde(default, rename = "type", deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    kind: Option<ResourceType>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of resources per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

impl ListResourcesQuery {
    /// The request to news.
    pub fn of(self) -> pb::ListResourcesRequest {
        let kind = self.kind.map_or("", ResourceType::name).to_owned();
        pb::ListResourcesRequest { page_size: self.limit, page_token: self.cursor, r#type: kind }
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

impl SuggestResource {
    /// The request to news.
    pub fn of(self) -> pb::SuggestResourceRequest {
        pb::SuggestResourceRequest {
            title: self.title,
            description: self.description.unwrap_or_default(),
            url: self.url,
            r#type: self.kind.name().to_owned(),
        }
    }
}
