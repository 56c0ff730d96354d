//! Legal news and law school resources.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::news::{ListArticlesRequest, ListResourcesRequest, ListSourcesRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    Gateway,
    answer::Answer,
    extract::Params,
    identity::Caller,
    problem::Problem,
    routes::Paging,
    views::news::{NewsArticle, NewsPage, NewsSource, Pagination, Resource},
};

/// The filter's entry for every source.
const ALL: &str = "all";

/// Which articles.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Which {
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
#[utoipa::path(get, path = "/api/news", operation_id = "listNews", tag = "news", params(Which),
    responses((status = 200, description = "The articles.", body = NewsPage)))]
pub async fn articles(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    Params(which): Params<Which>,
) -> Result<Answer<NewsPage>, Problem> {
    let source = if which.source == ALL { String::new() } else { which.source };
    let request = ListArticlesRequest { page: which.page, source, search: which.search };
    let answer = gateway.services.news().list_articles(caller.call.request(request)?).await?.into_inner();
    let articles = answer.articles.into_iter().map(NewsArticle::from).collect();
    Ok(Answer::ok(NewsPage { articles, pagination: Pagination { page: which.page, has_more: answer.has_more } }))
}

/// The sources articles come from, by name.
#[utoipa::path(get, path = "/api/news/sources/list", operation_id = "listNewsSources", tag = "news",
    responses((status = 200, description = "All of them.", body = [NewsSource])))]
pub async fn sources(State(gateway): State<Arc<Gateway>>, caller: Caller) -> Result<Answer<Vec<NewsSource>>, Problem> {
    let answer = gateway.services.news().list_sources(caller.call.request(ListSourcesRequest {})?).await?;
    Ok(Answer::ok(answer.into_inner().sources.into_iter().map(NewsSource::from).collect()))
}

/// Law school resources, newest first.
#[utoipa::path(get, path = "/api/resources", operation_id = "listResources", tag = "resources", params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [Resource])))]
pub async fn resources(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<Resource>>, Problem> {
    let request = ListResourcesRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.services.news().list_resources(caller.call.request(request)?).await?.into_inner();
    let resources = page.resources.into_iter().map(Resource::from).collect();
    Ok(Answer::ok(resources).next_page(&uri, &page.next_page_token))
}
