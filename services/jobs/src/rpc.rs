//! Every RPC: who asks, what is asked, the answer.

use chassis::{actor::Actor, clock::Clock};
use portia_proto::jobs::{
    ExportMemberRequest, GetStatsRequest, GetStatsResponse, ListJobsRequest, ListJobsResponse,
    ListMyApplicationsRequest, ListMyApplicationsResponse, jobs_service_server::JobsService,
};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tonic::{Request, Response, Status};

use crate::{
    applications,
    convert::{Browse, MyApplications},
    error::Error,
    export::{Exports, Records},
    postings,
};

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub exports: Exports,
}

impl Rpc {
    /// A connection to read with: one statement needs no transaction.
    async fn reader(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }
}

#[tonic::async_trait]
impl JobsService for Rpc {
    async fn list_jobs(&self, request: Request<ListJobsRequest>) -> Result<Response<ListJobsResponse>, Status> {
        let browse = Browse::try_from(request.into_inner())?;
        let page = postings::list(&mut *self.reader().await?, &browse, self.clock.now()).await?;
        let (jobs, next_page_token) = page.into_wire();
        Ok(Response::new(ListJobsResponse { jobs, next_page_token }))
    }

    async fn get_stats(&self, _: Request<GetStatsRequest>) -> Result<Response<GetStatsResponse>, Status> {
        let stats = postings::stats(&mut *self.reader().await?).await?;
        Ok(Response::new(stats.into()))
    }

    async fn list_my_applications(
        &self,
        request: Request<ListMyApplicationsRequest>,
    ) -> Result<Response<ListMyApplicationsResponse>, Status> {
        let member = Actor::member(&request)?;
        let mine = MyApplications::try_from(request.into_inner())?;
        let page = applications::list(&mut *self.reader().await?, member, &mine).await?;
        let (applications, next_page_token) = page.into_wire();
        Ok(Response::new(ListMyApplicationsResponse { applications, next_page_token }))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<ExportMemberRequest>) -> Result<Response<Records>, Status> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.of(member)))
    }
}
