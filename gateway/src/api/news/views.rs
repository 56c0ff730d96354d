//! Legal news.

use chrono::{DateTime, Utc};
use portia_proto::news as wire;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::timestamps::moment;

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
    /// The story as every source has it, the earliest first; this one's own is among them.
    pub copies: Vec<NewsCopy>,
    /// Made up, for a Portia that has no real articles yet.
    pub is_demo: bool,
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
            copies: article.copies.into_iter().map(NewsCopy::from).collect(),
            is_demo: article.is_demo,
        }
    }
}

/// A story as one source has it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsCopy {
    /// The source's id.
    pub source: String,
    /// The source's name.
    pub source_name: String,
    /// Where it stands there.
    pub url: String,
}

impl From<wire::Copy> for NewsCopy {
    fn from(copy: wire::Copy) -> Self {
        Self { source: copy.source, source_name: copy.source_name, url: copy.url }
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

/// What came of looking for new articles.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedNews {
    /// Articles that were not known before; 0 where somebody else had them looked for less than a minute ago.
    pub new_articles: i32,
}
