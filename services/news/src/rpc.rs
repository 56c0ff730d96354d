//! The RPCs of portia.news.v1.NewsService. Each file in `rpc/` holds one feature with its transactions.

mod articles;
mod resources;
mod sources;

use crawler::schedule::Schedule;
use portia_proto::news::{self as pb, news_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use tonic::{Request, Response, Status};

use crate::{
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.news.v1.NewsService.
pub struct NewsService {
    pub db: db::Pool,
    pub clock: Clock,
    pub ids: Ids,
    pub schedule: Schedule<String>,
    pub exports: MemberExporter,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl NewsService {
    /// A connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }
}

#[tonic::async_trait]
impl news_service_server::NewsService for NewsService {
    async fn list_articles(&self, request: Request<pb::ListArticlesRequest>) -> RpcResult<pb::ListArticlesResponse> {
        articles::list(self, request).await
    }

    async fn get_article(&self, request: Request<pb::GetArticleRequest>) -> RpcResult<pb::GetArticleResponse> {
        articles::get(self, request).await
    }

    async fn batch_get_articles(
        &self,
        request: Request<pb::BatchGetArticlesRequest>,
    ) -> RpcResult<pb::BatchGetArticlesResponse> {
        articles::batch_get(self, request).await
    }

    async fn search_articles(
        &self,
        request: Request<pb::SearchArticlesRequest>,
    ) -> RpcResult<pb::SearchArticlesResponse> {
        articles::search(self, request).await
    }

    async fn refresh_news(&self, request: Request<pb::RefreshNewsRequest>) -> RpcResult<pb::RefreshNewsResponse> {
        sources::refresh(self, request).await
    }

    async fn list_sources(&self, request: Request<pb::ListSourcesRequest>) -> RpcResult<pb::ListSourcesResponse> {
        sources::list(self, request).await
    }

    async fn list_crawled_sources(
        &self,
        request: Request<pb::ListCrawledSourcesRequest>,
    ) -> RpcResult<pb::ListCrawledSourcesResponse> {
        sources::list_crawled(self, request).await
    }

    async fn list_resources(&self, request: Request<pb::ListResourcesRequest>) -> RpcResult<pb::ListResourcesResponse> {
        resources::list(self, request).await
    }

    async fn get_resource(&self, request: Request<pb::GetResourceRequest>) -> RpcResult<pb::GetResourceResponse> {
        resources::get(self, request).await
    }

    async fn batch_get_resources(
        &self,
        request: Request<pb::BatchGetResourcesRequest>,
    ) -> RpcResult<pb::BatchGetResourcesResponse> {
        resources::batch_get(self, request).await
    }

    async fn search_resources(
        &self,
        request: Request<pb::SearchResourcesRequest>,
    ) -> RpcResult<pb::SearchResourcesResponse> {
        resources::search(self, request).await
    }

    async fn suggest_resource(
        &self,
        request: Request<pb::SuggestResourceRequest>,
    ) -> RpcResult<pb::SuggestResourceResponse> {
        resources::suggest(self, request).await
    }

    type ExportMemberStream = ExportStream;

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<ExportStream> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}
