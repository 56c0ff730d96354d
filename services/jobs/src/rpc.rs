//! The RPCs of portia.jobs.v1.JobsService. Each file in `rpc/` holds one feature with its transactions.

mod application_files;
mod applications;
mod postings;
mod sources;

use crawler::schedule::Schedule;
use idempotency::IdempotencyKeys;
use outbox::Outbox;
use portia_proto::jobs::{self as pb, jobs_service_server};
use primitives::{clock::Clock, ids::Ids};
use rpc::identity::Actor;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use self::application_files::FileStream;
use crate::{
    error::Error,
    export::{ExportStream, MemberExporter},
};

/// The server of portia.jobs.v1.JobsService.
pub struct JobsService {
    pub db: db::Pool,
    pub clock: Clock,
    pub ids: Ids,
    pub keys: IdempotencyKeys,
    pub outbox: Outbox,
    pub exports: MemberExporter,
    pub schedule: Schedule<Uuid>,
}

type RpcResult<T> = Result<Response<T>, Status>;

impl JobsService {
    /// A connection for reads, which need no transaction.
    async fn connection(&self) -> Result<db::Connection, Error> {
        Ok(db::acquire(&self.db).await?)
    }
}

#[tonic::async_trait]
impl jobs_service_server::JobsService for JobsService {
    async fn list_jobs(&self, request: Request<pb::ListJobsRequest>) -> RpcResult<pb::ListJobsResponse> {
        postings::list(self, request).await
    }

    async fn get_job(&self, request: Request<pb::GetJobRequest>) -> RpcResult<pb::GetJobResponse> {
        postings::get(self, request).await
    }

    async fn batch_get_jobs(&self, request: Request<pb::BatchGetJobsRequest>) -> RpcResult<pb::BatchGetJobsResponse> {
        postings::batch_get(self, request).await
    }

    async fn search_jobs(&self, request: Request<pb::SearchJobsRequest>) -> RpcResult<pb::SearchJobsResponse> {
        postings::search(self, request).await
    }

    async fn get_stats(&self, request: Request<pb::GetStatsRequest>) -> RpcResult<pb::GetStatsResponse> {
        postings::get_stats(self, request).await
    }

    async fn list_my_applications(
        &self,
        request: Request<pb::ListMyApplicationsRequest>,
    ) -> RpcResult<pb::ListMyApplicationsResponse> {
        applications::list(self, request).await
    }

    async fn get_application(
        &self,
        request: Request<pb::GetApplicationRequest>,
    ) -> RpcResult<pb::GetApplicationResponse> {
        applications::get(self, request).await
    }

    async fn apply(&self, request: Request<pb::ApplyRequest>) -> RpcResult<pb::ApplyResponse> {
        applications::apply(self, request).await
    }

    async fn update_application(
        &self,
        request: Request<pb::UpdateApplicationRequest>,
    ) -> RpcResult<pb::UpdateApplicationResponse> {
        applications::update(self, request).await
    }

    async fn upload_application_file(
        &self,
        request: Request<Streaming<pb::UploadApplicationFileRequest>>,
    ) -> RpcResult<pb::UploadApplicationFileResponse> {
        application_files::upload(self, request).await
    }

    async fn delete_application_file(
        &self,
        request: Request<pb::DeleteApplicationFileRequest>,
    ) -> RpcResult<pb::DeleteApplicationFileResponse> {
        application_files::delete(self, request).await
    }

    type DownloadApplicationFileStream = FileStream;

    async fn download_application_file(
        &self,
        request: Request<pb::DownloadApplicationFileRequest>,
    ) -> RpcResult<FileStream> {
        application_files::download(self, request).await
    }

    async fn refresh_jobs(&self, request: Request<pb::RefreshJobsRequest>) -> RpcResult<pb::RefreshJobsResponse> {
        sources::refresh(self, request).await
    }

    async fn list_sources(&self, request: Request<pb::ListSourcesRequest>) -> RpcResult<pb::ListSourcesResponse> {
        sources::list(self, request).await
    }

    type ExportMemberStream = ExportStream;

    async fn export_member(&self, request: Request<pb::ExportMemberRequest>) -> RpcResult<ExportStream> {
        let member = Actor::member(&request)?;
        Ok(Response::new(self.exports.stream(member)))
    }
}
