//! Legal news: list and refresh.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::news::{ListArticlesRequest, RefreshNewsRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::rate_limits;
use crate::edge::upstreams::NewsClient;
use crate::{
    api::{
        news::views::{NewsArticle, NewsPage, Pagination, RefreshedNews},
        state::Gateway,
    },
    edge::{answer::ApiResponse, authentication::Caller, extract::Params, limits::Client, problem::Problem},
};

/// The value of the filter for all sources.
const ALL: &str = "all";

/// The query of `listNews`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListArticlesQuery {
    /// The number of the page, 1 to 1,000; 1 by default.
    #[serde(default = "first")]
    #[param(required = false, minimum = 1, maximum = 1000)]
    page: i32,
    /// The id of a source. All sources when absent, empty or `all`.
    #[serde(default)]
    #[param(required = false)]
    source: String,
    /// Words that must all occur. At most 200 characters.
    #[serde(default)]
    #[param(required = false, max_length = 200)]
    search: String,
}

const fn first() -> i32 {
    1
}

/// Lists articles in numbered pages, newest first.
#[utoipa::path(get, path = "/api/news", operation_id = "listNews", tag = "news", params(ListArticlesQuery),
    responses((status = 200, description = "A page of articles.", body = NewsPage)))]
pub async fn list(
    State(mut news): State<NewsClient>,
    caller: Caller,
    Params(query): Params<ListArticlesQuery>,
) -> Result<ApiResponse<NewsPage>, Problem> {
    let source = if query.source == ALL { String::new() } else { query.source };
    let request = ListArticlesRequest { page: query.page, source, search: query.search };
    let answer = news.list_articles(caller.call.request(request)?).await?.into_inner();
    let articles = answer.articles.into_iter().map(NewsArticle::from).collect();
    Ok(ApiResponse::ok(NewsPage { articles, pagination: Pagination { page: query.page, has_more: answer.has_more } }))
}

/// Crawls all sources now, at most once a minute.
#[utoipa::path(post, path = "/api/news/refresh", operation_id = "refreshNews", tag = "news",
    responses((status = 200, description = "The number of new articles from the sources that answered in time.",
        body = RefreshedNews)))]
pub async fn refresh(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    client: Client,
) -> Result<ApiResponse<RefreshedNews>, Problem> {
    gateway.limits.take(rate_limits::NEWS_REFRESHES, &client.key()).await?;
    let (mut news, request) = (gateway.clients.news(), caller.call.request(RefreshNewsRequest {})?);
    let refreshed = async move { Ok(news.refresh_news(request).await?.into_inner().new_articles) };
    let new_articles = gateway.news_refreshes.run(&caller.call, refreshed).await?;
    Ok(ApiResponse::ok(RefreshedNews { new_articles }))
}
