//! Legal news.

use portia_proto::news as pb;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::timestamps::{DateOrTime, date_or_moment};

pub use crate::api::contract::news::{NewsCopy, NewsSource};

/// A numbered page of articles.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsPage {
    /// The articles, newest first.
    pub articles: Vec<NewsArticle>,
    /// The position of the page.
    pub pagination: Pagination,
}

/// The position of a page in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// The number of the page, from 1.
    pub page: i32,
    /// Whether another page follows.
    pub has_more: bool,
}

/// A news article.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewsArticle {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// The headline.
    pub title: String,
    /// The description as plain text.
    #[schema(required)]
    pub description: Option<String>,
    /// The author.
    #[schema(required)]
    pub author: Option<String>,
    /// The URL of the article.
    pub url: String,
    /// The id of the source, for example `above_the_law`.
    pub source: String,
    /// The name of the source, for example 'Above the Law'.
    pub source_name: String,
    /// The date or time of publication; null when the source states none.
    #[schema(required)]
    pub published_at: Option<DateOrTime>,
    /// The same news in all sources including this one, earliest first.
    pub copies: Vec<NewsCopy>,
    /// Whether this is demo data.
    pub is_demo: bool,
}

impl From<pb::Article> for NewsArticle {
    fn from(article: pb::Article) -> Self {
        Self {
            id: article.id,
            title: article.title,
            description: article.description,
            author: article.author,
            url: article.url,
            source: article.source,
            source_name: article.source_name,
            published_at: date_or_moment(article.published_at, article.published_date.as_deref()),
            copies: article.copies.into_iter().map(NewsCopy::from).collect(),
            is_demo: article.is_demo,
        }
    }
}

/// The result of a refresh of news.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedNews {
    /// The number of new articles; 0 when the last refresh was less than a minute ago.
    pub new_articles: i32,
}
