//! Job postings.

use std::sync::Arc;

use axum::extract::State;
use portia_proto::jobs::RefreshJobsRequest;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    api::{rate_limits, state::Gateway},
    edge::{answer::ApiResponse, authentication::Caller, limits::Client, problem::Problem},
};

pub use crate::api::contract::jobs::{EmploymentType, ExperienceLevel, Job, JobLocation, JobStats, PracticeArea};

/// The result of a refresh of jobs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefreshedJobs {
    /// The number of new postings; 0 when the last refresh was less than a minute ago.
    pub new_jobs: i32,
}

/// Crawls all sources now, at most once a minute.
#[utoipa::path(post, path = "/api/jobs/refresh", operation_id = "refreshJobs", tag = "jobs",
    responses((status = 200, description = "The number of new postings from the sources that answered in time.",
        body = RefreshedJobs)))]
pub async fn refresh(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    client: Client,
) -> Result<ApiResponse<RefreshedJobs>, Problem> {
    gateway.limits.take(rate_limits::JOB_REFRESHES, &client.key()).await?;
    let (mut jobs, request) = (gateway.clients.jobs(), caller.call.request(RefreshJobsRequest {})?);
    let refreshed = async move { Ok(jobs.refresh_jobs(request).await?.into_inner().new_jobs) };
    let new_jobs = gateway.job_refreshes.run(&caller.call, refreshed).await?;
    Ok(ApiResponse::ok(RefreshedJobs { new_jobs }))
}
