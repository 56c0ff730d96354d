//! Jobs: list, get, statistics and refresh.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::jobs as pb;
use portia_proto::jobs::{GetJobRequest, GetStatsRequest, ListJobsRequest, RefreshJobsRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfJob;
use crate::api::rate_limits;
use crate::edge::upstreams::JobsClient;
use crate::{
    api::{
        jobs::views::{EmploymentType, ExperienceLevel, Job, JobLocation, JobStats, PracticeArea, RefreshedJobs},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Caller,
        extract::{Id, Params, unless_empty},
        limits::Client,
        problem::Problem,
    },
};

/// The query of `listJobs`. Filters are combined with AND; an absent or empty filter matches everything.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListJobsQuery {
    /// Words that must all occur in the title, company, location or description. At most 200 characters.
    #[serde(default)]
    #[param(required = false, max_length = 200)]
    search: String,
    /// The location of the work.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    location: Option<JobLocation>,
    /// The field of law.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    practice_area: Option<PracticeArea>,
    /// The required experience.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    experience_level: Option<ExperienceLevel>,
    /// The type of employment.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    employment_type: Option<EmploymentType>,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of postings per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

impl From<ListJobsQuery> for ListJobsRequest {
    fn from(filters: ListJobsQuery) -> Self {
        Self {
            search: filters.search,
            location: filters.location.map_or(pb::LocationFilter::Unspecified, Into::into).into(),
            practice_area: filters.practice_area.map_or(pb::PracticeArea::Unspecified, Into::into).into(),
            experience_level: filters.experience_level.map_or(pb::ExperienceLevel::Unspecified, Into::into).into(),
            employment_type: filters.employment_type.map_or(pb::EmploymentType::Unspecified, Into::into).into(),
            page_size: filters.limit,
            page_token: filters.cursor,
        }
    }
}

/// Lists open postings, newest first.
#[utoipa::path(get, path = "/api/jobs", operation_id = "listJobs", tag = "jobs", params(ListJobsQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Job])))]
pub async fn list(
    State(mut jobs): State<JobsClient>,
    caller: Caller,
    uri: Uri,
    Params(filters): Params<ListJobsQuery>,
) -> Result<ApiResponse<Vec<Job>>, Problem> {
    let request = ListJobsRequest::from(filters);
    let page = jobs.list_jobs(caller.call.request(request)?).await?.into_inner();
    let jobs = page.jobs.into_iter().map(Job::from).collect();
    Ok(ApiResponse::ok(jobs).next_page(&uri, &page.next_page_token))
}

/// Returns a posting, open or closed.
#[utoipa::path(get, path = "/api/jobs/{id}", operation_id = "getJob", tag = "jobs",
    params(("id" = Uuid, Path, description = "The id of the posting.")),
    responses((status = 200, description = "The posting with its complete description.", body = Job)))]
pub async fn get(
    State(mut jobs): State<JobsClient>,
    caller: Caller,
    id: Id<OfJob>,
) -> Result<ApiResponse<Job>, Problem> {
    let request = GetJobRequest { job_id: id.0.to_string() };
    let answer = jobs.get_job(caller.call.request(request)?).await?.into_inner();
    answer.job.map(|job| ApiResponse::ok(job.into())).ok_or(Problem::internal())
}

/// Returns the numbers of open postings.
#[utoipa::path(get, path = "/api/jobs/stats/overview", operation_id = "getJobStats", tag = "jobs",
    responses((status = 200, description = "The numbers of open postings.", body = JobStats)))]
pub async fn stats(State(mut jobs): State<JobsClient>, caller: Caller) -> Result<ApiResponse<JobStats>, Problem> {
    let stats = jobs.get_stats(caller.call.request(GetStatsRequest {})?).await?.into_inner();
    Ok(ApiResponse::ok(stats.into()))
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
