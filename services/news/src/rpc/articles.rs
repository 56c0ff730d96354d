//! RPCs of articles: lists, single articles and search. All are open to visitors.

use portia_proto::news as pb;
use tonic::{Request, Response};

use super::{NewsService, RpcResult};
use crate::{
    articles::{self, ArticleQuery},
    convert::{article_id, article_ids, article_search},
    error::Error,
    search as index,
};

pub(super) async fn list(
    service: &NewsService,
    request: Request<pb::ListArticlesRequest>,
) -> RpcResult<pb::ListArticlesResponse> {
    let query = ArticleQuery::try_from(request.into_inner())?;
    let page = articles::list(&mut *service.connection().await?, &query, service.clock.now()).await?;
    Ok(Response::new(page.into()))
}

pub(super) async fn get(
    service: &NewsService,
    request: Request<pb::GetArticleRequest>,
) -> RpcResult<pb::GetArticleResponse> {
    let id = article_id(request.get_ref())?;
    let article = articles::get(&mut *service.connection().await?, id).await?;
    Ok(Response::new(pb::GetArticleResponse { article: Some(article.into()) }))
}

pub(super) async fn batch_get(
    service: &NewsService,
    request: Request<pb::BatchGetArticlesRequest>,
) -> RpcResult<pb::BatchGetArticlesResponse> {
    let ids = article_ids(request.get_ref())?;
    let articles = articles::batch_get(&mut *service.connection().await?, &ids).await.map_err(Error::from)?;
    let articles = articles.into_iter().map(pb::Article::from).collect();
    Ok(Response::new(pb::BatchGetArticlesResponse { articles }))
}

pub(super) async fn search(
    service: &NewsService,
    request: Request<pb::SearchArticlesRequest>,
) -> RpcResult<pb::SearchArticlesResponse> {
    let query = article_search(request.get_ref())?;
    let page = index::search_articles(&mut *service.connection().await?, query).await?;
    let (articles, next_page_token, terms) = page.into_wire();
    Ok(Response::new(pb::SearchArticlesResponse { articles, next_page_token, terms }))
}
