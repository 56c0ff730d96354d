//! Every RPC: who asks, what is asked, the answer.

use std::time::Duration;

use db::begin;
use portia_proto::jobs::{
    ApplyRequest, ApplyResponse, BatchGetJobsRequest, BatchGetJobsResponse, ExportMemberRequest, GetApplicationRequest,
    GetApplicationResponse, GetJobRequest, GetJobResponse, GetStatsRequest, GetStatsResponse, ListJobsRequest,
    ListJobsResponse, ListMyApplicationsRequest, ListMyApplicationsResponse, ListSourcesRequest, ListSourcesResponse,
    RefreshJobsRequest, RefreshJobsResponse, SearchJobsRequest, SearchJobsResponse, UpdateApplicationRequest,
    UpdateApplicationResponse, jobs_service_server::JobsService,
};
use primitives::{clock::Clock, ids::Ids};
use rpc::{Deadline, identity::Actor};
use sqlx::{PgPool, Postgres, pool::PoolConnection};
use tokio::time::Instant;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::{
    applications::{self, Application},
    apply::{self, NewApplication},
    convert::{Browse, Changes, MyApplications, application_id, job_id, job_ids, looked_for},
    crawl::Crawler,
    error::Error,
    export::{Exports, Records},
    idempotency::Keyed,
    postings, refresh, search, sources, stats,
};

/// What a refresh leaves of its caller's time for the answer to travel in.
const TRAVEL: Duration = Duration::from_millis(500);
/// How long a refresh waits for whoever has all the time in the world.
const PATIENCE: Duration = Duration::from_secs(20);

/// The service, as the generated server calls it.
pub struct Rpc {
    pub db: PgPool,
    pub clock: Clock,
    pub ids: Ids,
    pub exports: Exports,
    pub crawler: Crawler,
}

type Answer<T> = Result<Response<T>, Status>;

impl Rpc {
    /// A connection: one statement needs no transaction.
    async fn connection(&self) -> Result<PoolConnection<Postgres>, Error> {
        Ok(self.db.acquire().await?)
    }

    async fn apply_for(&self, member: Uuid, wanted: &Keyed<NewApplication>) -> Result<Application, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        let id = apply::apply(&mut tx, &self.ids, member, wanted, now).await?;
        let application = applications::find(&mut tx, member, id, now).await?;
        tx.commit().await?;
        Ok(application)
    }

    async fn change(&self, member: Uuid, changes: &Changes) -> Result<Application, Error> {
        let now = self.clock.now();
        let mut tx = begin(&self.db).await?;
        applications::change(&mut tx, &self.ids, member, changes, now).await?;
        let application = applications::find(&mut tx, member, changes.application, now).await?;
        tx.commit().await?;
        Ok(application)
    }

    async fn refresh(&self, until: Instant) -> Result<i32, Error> {
        let begun = refresh::begin(&mut *self.connection().await?, self.clock.now()).await?;
        refresh::wait(&self.db, &self.clock, &self.crawler, &begun, until).await
    }
}

#[tonic::async_trait]
impl JobsService for Rpc {
    async fn list_jobs(&self, request: Request<ListJobsRequest>) -> Answer<ListJobsResponse> {
        let viewer = Actor::viewer(&request)?;
        let browse = Browse::try_from(request.into_inner())?;
        let page = postings::list(&mut *self.connection().await?, viewer, &browse, self.clock.now()).await?;
        let (jobs, next_page_token) = page.into_wire();
        Ok(Response::new(ListJobsResponse { jobs, next_page_token }))
    }

    async fn get_job(&self, request: Request<GetJobRequest>) -> Answer<GetJobResponse> {
        let viewer = Actor::viewer(&request)?;
        let id = job_id(&request.get_ref().job_id)?;
        let posting = postings::find(&mut *self.connection().await?, viewer, id, self.clock.now()).await?;
        Ok(Response::new(GetJobResponse { job: Some(posting.into()) }))
    }

    async fn get_stats(&self, _: Request<GetStatsRequest>) -> Answer<GetStatsResponse> {
        let stats = stats::overview(&mut *self.connection().await?).await?;
        Ok(Response::new(stats.into()))
    }

    async fn list_my_applications(
        &self,
        request: Request<ListMyApplicationsRequest>,
    ) -> Answer<ListMyApplicationsResponse> {
        let member = Actor::member(&request)?;
        let mine = MyApplications::try_from(request.into_inner())?;
        let page = applications::list(&mut *self.connection().await?, member, &mine, self.clock.now()).await?;
        let (applications, next_page_token) = page.into_wire();
        Ok(Response::new(ListMyApplicationsResponse { applications, next_page_token }))
    }

    async fn get_application(&self, request: Request<GetApplicationRequest>) -> Answer<GetApplicationResponse> {
        let member = Actor::member(&request)?;
        let id = application_id(&request.get_ref().application_id)?;
        let mut db = self.connection().await?;
        let application = applications::find(&mut db, member, id, self.clock.now()).await?;
        let history = applications::history(&mut db, id).await?;
        let history = history.into_iter().map(Into::into).collect();
        Ok(Response::new(GetApplicationResponse { application: Some(application.into()), history }))
    }

    async fn apply(&self, request: Request<ApplyRequest>) -> Answer<ApplyResponse> {
        let member = Actor::member(&request)?;
        let wanted = Keyed::try_from(request.into_inner())?;
        let application = self.apply_for(member, &wanted).await?;
        Ok(Response::new(ApplyResponse { application: Some(application.into()) }))
    }

    async fn update_application(
        &self,
        request: Request<UpdateApplicationRequest>,
    ) -> Answer<UpdateApplicationResponse> {
        let member = Actor::member(&request)?;
        let changes = Changes::try_from(request.into_inner())?;
        let application = self.change(member, &changes).await?;
        Ok(Response::new(UpdateApplicationResponse { application: Some(application.into()) }))
    }

    async fn refresh_jobs(&self, request: Request<RefreshJobsRequest>) -> Answer<RefreshJobsResponse> {
        let asked = request.extensions().get::<Deadline>();
        let deadline = asked.map_or_else(|| Instant::now() + PATIENCE, |Deadline(at)| *at);
        let until = deadline.checked_sub(TRAVEL).unwrap_or_else(Instant::now);
        Ok(Response::new(RefreshJobsResponse { new_jobs: self.refresh(until).await? }))
    }

    async fn list_sources(&self, _: Request<ListSourcesRequest>) -> Answer<ListSourcesResponse> {
        let sources = sources::list(&mut *self.connection().await?).await?;
        let sources = sources.into_iter().map(Into::into).collect();
        Ok(Response::new(ListSourcesResponse { sources }))
    }

    async fn search_jobs(&self, request: Request<SearchJobsRequest>) -> Answer<SearchJobsResponse> {
        let viewer = Actor::viewer(&request)?;
        let asked = looked_for(&request.into_inner())?;
        let found = search::postings(&mut *self.connection().await?, viewer, asked, self.clock.now()).await?;
        let (jobs, next_page_token, terms) = found.into_wire();
        Ok(Response::new(SearchJobsResponse { jobs, next_page_token, terms }))
    }

    async fn batch_get_jobs(&self, request: Request<BatchGetJobsRequest>) -> Answer<BatchGetJobsResponse> {
        let viewer = Actor::viewer(&request)?;
        let ids = job_ids(request.get_ref())?;
        let postings = postings::several(&mut *self.connection().await?, viewer, &ids, self.clock.now()).await;
        let jobs = postings.map_err(Error::from)?.into_iter().map(Into::into).collect();
        Ok(Response::new(BatchGetJobsResponse { jobs }))
    }

    type ExportMemberStream = Records;

    async fn export_member(&self, request: Request<ExportMemberRequest>) -> Answer<Records> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}
