//! Every RPC: what is asked, the answer. All of it is open to visitors.

use portia_proto::news::{
    ListArticlesRequest, ListArticlesResponse, ListResourcesRequest, ListResourcesResponse, ListSourcesRequest,
    ListSourcesResponse, Source, news_service_server::NewsService,
};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    articles,
    convert::{Browse, BrowseResources},
    error::Error,
    resources, sources,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
}

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl NewsService for Rpc {
    async fn list_articles(
        &self,
        request: Request<ListArticlesRequest>,
    ) -> Result<Response<ListArticlesResponse>, Status> {
        let browse = Browse::try_from(request.into_inner())?;
        let page = articles::list(&mut *self.reader().await?, &browse).await?;
        Ok(Response::new(page.into()))
    }

    async fn list_sources(&self, _: Request<ListSourcesRequest>) -> Result<Response<ListSourcesResponse>, Status> {
        let sources = sources::list(&mut *self.reader().await?).await?;
        Ok(Response::new(ListSourcesResponse { sources: sources.into_iter().map(Source::from).collect() }))
    }

    async fn list_resources(
        &self,
        request: Request<ListResourcesRequest>,
    ) -> Result<Response<ListResourcesResponse>, Status> {
        let browse = BrowseResources::try_from(request.into_inner())?;
        let page = resources::list(&mut *self.reader().await?, &browse).await?;
        let (resources, next_page_token) = page.into_wire();
        Ok(Response::new(ListResourcesResponse { resources, next_page_token }))
    }
}
