//! Legal news: the list, one story, the sources, and having new ones looked for.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::news::{GetArticleRequest, ListArticlesRequest, ListSourcesRequest, RefreshNewsRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfArticle;
use crate::api::rate_limits;
use crate::edge::upstreams::NewsClient;
use crate::{
    api::{
        news::views::{NewsArticle, NewsPage, NewsSource, Pagination, RefreshedNews},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Caller,
        extract::{Id, Params},
        limits::Client,
        problem::Problem,
    },
};

/// The filter's entry for every source.
const ALL: &str = "all";

/// The query of `listNews`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListArticlesQuery {
    /// 1 to 1,000; 1 when left out.
    #[serde(default = "first")]
    #[param(required = false, minimum = 1, maximum = 1000)]
    page: i32,
    /// A source's id; all of them when left out, empty or `all`.
    #[serde(default)]
    #[param(required = false)]
    source: String,
    /// Every word must occur.
    #[serde(default)]
    #[param(required = false)]
    search: String,
}

const fn first() -> i32 {
    1
}

/// A numbered page of articles, newest first.
#[utoipa::path(get, path = "/api/news", operation_id = "listNews", tag = "news", params(ListArticlesQuery),
    responses((status = 200, description = "The articles.", body = NewsPage)))]
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

/// One story.
#[utoipa::path(get, path = "/api/news/{id}", operation_id = "getArticle", tag = "news",
    params(("id" = Uuid, Path, description = "The article's id.")),
    responses((status = 200, description = "As a list would carry it.", body = NewsArticle)))]
pub async fn get(
    State(mut news): State<NewsClient>,
    caller: Caller,
    id: Id<OfArticle>,
) -> Result<ApiResponse<NewsArticle>, Problem> {
    let request = GetArticleRequest { article_id: id.0.to_string() };
    let answer = news.get_article(caller.call.request(request)?).await?.into_inner();
    answer.article.map(|article| ApiResponse::ok(article.into())).ok_or(Problem::internal())
}

/// The sources articles come from, by name.
#[utoipa::path(get, path = "/api/news/sources/list", operation_id = "listNewsSources", tag = "news",
    responses((status = 200, description = "All of them.", body = [NewsSource])))]
pub async fn sources(
    State(mut news): State<NewsClient>,
    caller: Caller,
) -> Result<ApiResponse<Vec<NewsSource>>, Problem> {
    let answer = news.list_sources(caller.call.request(ListSourcesRequest {})?).await?;
    Ok(ApiResponse::ok(answer.into_inner().sources.into_iter().map(NewsSource::from).collect()))
}

/// Has every source looked through now, unless somebody did so less than a minute ago.
#[utoipa::path(post, path = "/api/news/refresh", operation_id = "refreshNews", tag = "news",
    responses((status = 200, description = "What was new, as far as the sources answered in time.",
        body = RefreshedNews)))]
pub async fn refresh(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    client: Client,
) -> Result<ApiResponse<RefreshedNews>, Problem> {
    gateway.limits.take(rate_limits::NEWS_REFRESHES, &client.key()).await?;
    let (mut news, request) = (gateway.clients.news(), caller.call.request(RefreshNewsRequest {})?);
    let refreshed = async move { Ok(news.refresh_news(request).await?.into_inner().new_articles) };
    let new_articles = gateway.news_refreshes.ask(&caller.call, refreshed).await?;
    Ok(ApiResponse::ok(RefreshedNews { new_articles }))
}
