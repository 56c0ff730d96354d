//! Every RPC: who asks where it matters, what is asked, the answer. Nearly all of it is open to visitors.

use std::time::Duration;

use portia_proto::news::{self as wire, news_service_server::NewsService};
use primitives::{clock::Clock, ids::Ids};
use rpc::{Deadline, identity::Actor};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tokio::time::Instant;
use tonic::{Request, Response, Status};

use crate::{
    articles,
    convert::{self, Browse, BrowseResources},
    crawl::Crawler,
    error::Error,
    export::{Exports, Records},
    resources::{self, Suggestion},
    search, sources,
};

/// What an answer needs to arrive before its caller's patience ends.
const RETURN: Duration = Duration::from_millis(500);
/// How long a refresh takes at most where the caller has no end of patience.
const PATIENCE: Duration = Duration::from_secs(10);

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub ids: Ids,
    pub crawler: Crawler,
    pub exports: Exports,
}

type Answer<T> = Result<Response<T>, Status>;

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl NewsService for Rpc {
    async fn list_articles(&self, request: Request<wire::ListArticlesRequest>) -> Answer<wire::ListArticlesResponse> {
        let browse = Browse::try_from(request.into_inner())?;
        let page = articles::list(&mut *self.reader().await?, &browse, self.clock.now()).await?;
        Ok(Response::new(page.into()))
    }

    async fn get_article(&self, request: Request<wire::GetArticleRequest>) -> Answer<wire::GetArticleResponse> {
        let id = convert::article(&request.into_inner())?;
        let article = articles::find(&mut *self.reader().await?, id).await?;
        Ok(Response::new(wire::GetArticleResponse { article: Some(article.into()) }))
    }

    async fn search_articles(
        &self,
        request: Request<wire::SearchArticlesRequest>,
    ) -> Answer<wire::SearchArticlesResponse> {
        let asked = convert::articles_looked_for(&request.into_inner())?;
        let (articles, next_page_token, terms) = search::articles(&mut *self.reader().await?, asked).await?.into_wire();
        Ok(Response::new(wire::SearchArticlesResponse { articles, next_page_token, terms }))
    }

    async fn search_resources(
        &self,
        request: Request<wire::SearchResourcesRequest>,
    ) -> Answer<wire::SearchResourcesResponse> {
        let asked = convert::resources_looked_for(&request.into_inner())?;
        let (resources, next_page_token, terms) =
            search::resources(&mut *self.reader().await?, asked).await?.into_wire();
        Ok(Response::new(wire::SearchResourcesResponse { resources, next_page_token, terms }))
    }

    async fn refresh_news(&self, request: Request<wire::RefreshNewsRequest>) -> Answer<wire::RefreshNewsResponse> {
        let now = Instant::now();
        let deadline = request.extensions().get::<Deadline>().map_or(now + PATIENCE, |deadline| deadline.0);
        let until = deadline.checked_sub(RETURN).unwrap_or(now);
        let new_articles = self.crawler.refresh(until).await?;
        Ok(Response::new(wire::RefreshNewsResponse { new_articles }))
    }

    async fn list_sources(&self, _: Request<wire::ListSourcesRequest>) -> Answer<wire::ListSourcesResponse> {
        let sources = sources::list(&mut *self.reader().await?).await?;
        let sources = sources.into_iter().map(wire::Source::from).collect();
        Ok(Response::new(wire::ListSourcesResponse { sources }))
    }

    async fn list_crawled_sources(
        &self,
        _: Request<wire::ListCrawledSourcesRequest>,
    ) -> Answer<wire::ListCrawledSourcesResponse> {
        let sources = sources::crawled(&mut *self.reader().await?).await?;
        let sources = sources.into_iter().map(wire::CrawledSource::from).collect();
        Ok(Response::new(wire::ListCrawledSourcesResponse { sources }))
    }

    async fn list_resources(
        &self,
        request: Request<wire::ListResourcesRequest>,
    ) -> Answer<wire::ListResourcesResponse> {
        let browse = BrowseResources::try_from(request.into_inner())?;
        let page = resources::list(&mut *self.reader().await?, &browse).await?;
        let (resources, next_page_token) = page.into_wire();
        Ok(Response::new(wire::ListResourcesResponse { resources, next_page_token }))
    }

    async fn get_resource(&self, request: Request<wire::GetResourceRequest>) -> Answer<wire::GetResourceResponse> {
        let id = convert::resource(&request.into_inner())?;
        let resource = resources::find(&mut *self.reader().await?, id).await?;
        Ok(Response::new(wire::GetResourceResponse { resource: Some(resource.into()) }))
    }

    async fn suggest_resource(
        &self,
        request: Request<wire::SuggestResourceRequest>,
    ) -> Answer<wire::SuggestResourceResponse> {
        let member = Actor::member(&request)?;
        let suggestion = Suggestion::try_from(request.into_inner())?;
        let mut tx = db::begin(&self.db).await.map_err(Error::from)?;
        let id = self.ids.owned_by(member);
        let resource = resources::suggest(&mut tx, id, member, &suggestion, self.clock.now()).await?;
        tx.commit().await.map_err(Error::from)?;
        Ok(Response::new(wire::SuggestResourceResponse { resource: Some(resource.into()) }))
    }

    async fn batch_get_articles(
        &self,
        request: Request<wire::BatchGetArticlesRequest>,
    ) -> Answer<wire::BatchGetArticlesResponse> {
        let ids = convert::articles(request.get_ref())?;
        let articles = articles::several(&mut *self.reader().await?, &ids).await.map_err(Error::from)?;
        let articles = articles.into_iter().map(wire::Article::from).collect();
        Ok(Response::new(wire::BatchGetArticlesResponse { articles }))
    }

    async fn batch_get_resources(
        &self,
        request: Request<wire::BatchGetResourcesRequest>,
    ) -> Answer<wire::BatchGetResourcesResponse> {
        let ids = convert::resources(request.get_ref())?;
        let resources = resources::among(&mut *self.reader().await?, &ids).await.map_err(Error::from)?;
        let resources = resources.into_iter().map(wire::Resource::from).collect();
        Ok(Response::new(wire::BatchGetResourcesResponse { resources }))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<wire::ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}
