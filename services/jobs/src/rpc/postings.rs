//! RPCs of postings: lists, single postings, search and statistics. All are open to visitors.

use portia_proto::jobs as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{JobsService, RpcResult};
use crate::{
    convert::{job_id, job_ids, job_search},
    error::Error,
    postings::{self, PostingQuery},
    search as index, stats,
};

pub(super) async fn list(
    service: &JobsService,
    request: Request<pb::ListJobsRequest>,
) -> RpcResult<pb::ListJobsResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = PostingQuery::try_from(request.into_inner())?;
    let page = postings::list(&mut *service.connection().await?, viewer, &query, service.clock.now()).await?;
    let (jobs, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListJobsResponse { jobs, next_page_token }))
}

pub(super) async fn get(service: &JobsService, request: Request<pb::GetJobRequest>) -> RpcResult<pb::GetJobResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = job_id(&request.get_ref().job_id)?;
    let posting = postings::get(&mut *service.connection().await?, viewer, id, service.clock.now()).await?;
    Ok(Response::new(pb::GetJobResponse { job: Some(posting.into()) }))
}

pub(super) async fn batch_get(
    service: &JobsService,
    request: Request<pb::BatchGetJobsRequest>,
) -> RpcResult<pb::BatchGetJobsResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = job_ids(request.get_ref())?;
    let postings = postings::batch_get(&mut *service.connection().await?, viewer, &ids, service.clock.now()).await;
    let jobs = postings.map_err(Error::from)?.into_iter().map(Into::into).collect();
    Ok(Response::new(pb::BatchGetJobsResponse { jobs }))
}

pub(super) async fn search(
    service: &JobsService,
    request: Request<pb::SearchJobsRequest>,
) -> RpcResult<pb::SearchJobsResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = job_search(request.get_ref())?;
    let page = index::search(&mut *service.connection().await?, viewer, query, service.clock.now()).await?;
    let (jobs, next_page_token, terms) = page.into_wire();
    Ok(Response::new(pb::SearchJobsResponse { jobs, next_page_token, terms }))
}

pub(super) async fn get_stats(
    service: &JobsService,
    _: Request<pb::GetStatsRequest>,
) -> RpcResult<pb::GetStatsResponse> {
    let stats = stats::get(&mut *service.connection().await?).await?;
    Ok(Response::new(stats.into()))
}
