//! Legal news.

use serde::Serialize;
use utoipa::ToSchema;

pub use crate::api::contract::news::{NewsArticle, NewsCopy, NewsSource};

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

/// The result of a refresh of news.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedNews {
    /// The number of new articles; 0 when the last refresh was less than a minute ago.
    pub new_articles: i32,
}
