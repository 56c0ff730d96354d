//! Legal news and law school resources.

use chrono::{DateTime, Utc};
use portia_proto::news as wire;
use serde::Serialize;
use utoipa::ToSchema;

use super::moment;

/// A numbered page of articles.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsPage {
    /// Newest first.
    pub articles: Vec<NewsArticle>,
    /// Where in the list this page stands.
    pub pagination: Pagination,
}

/// Where in a list a page stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// From 1.
    pub page: i32,
    /// Whether another page follows.
    pub has_more: bool,
}

/// A story.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsArticle {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// Its headline.
    pub title: String,
    /// Plain text.
    #[schema(required)]
    pub description: Option<String>,
    /// Who wrote it.
    #[schema(required)]
    pub author: Option<String>,
    /// Where it stands.
    pub url: String,
    /// The source's id: `above_the_law`.
    pub source: String,
    /// The source's name: 'Above the Law'.
    pub source_name: String,
    /// Null when the source gave no readable date.
    #[schema(required)]
    pub published_at: Option<DateTime<Utc>>,
}

impl From<wire::Article> for NewsArticle {
    fn from(article: wire::Article) -> Self {
        Self {
            id: article.id,
            title: article.title,
            description: article.description,
            author: article.author,
            url: article.url,
            source: article.source,
            source_name: article.source_name,
            published_at: moment(article.published_at),
        }
    }
}

/// Where articles come from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsSource {
    /// `above_the_law`.
    pub source: String,
    /// 'Above the Law'.
    pub source_name: String,
}

impl From<wire::Source> for NewsSource {
    fn from(source: wire::Source) -> Self {
        Self { source: source.source, source_name: source.source_name }
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
