//! Jobs: the list, its counters, and my applications.

use std::sync::Arc;

use axum::extract::State;
use http::Uri;
use portia_proto::jobs as wire;
use portia_proto::jobs::{GetStatsRequest, ListJobsRequest, ListMyApplicationsRequest};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    Gateway,
    answer::Answer,
    extract::{Params, unless_empty},
    identity::{Caller, Member},
    problem::Problem,
    routes::Paging,
    views::jobs::{EmploymentType, ExperienceLevel, Job, JobApplication, JobLocation, JobStats, PracticeArea},
};

/// Which postings; filters combine, and one left out or empty lets everything through.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct Filters {
    /// Every word must occur in title, company or description.
    #[serde(default)]
    #[param(required = false)]
    search: String,
    /// Where the work is.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    location: Option<JobLocation>,
    /// Which field of law.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    practice_area: Option<PracticeArea>,
    /// How much experience is asked for.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    experience_level: Option<ExperienceLevel>,
    /// How one is employed.
    #[serde(default, deserialize_with = "unless_empty")]
    #[param(inline = false, nullable = false)]
    employment_type: Option<EmploymentType>,
    /// Where the last page ended, from its `Link` header.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// Postings a page, at most 100; 20 when left out.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

impl From<Filters> for ListJobsRequest {
    fn from(filters: Filters) -> Self {
        Self {
            search: filters.search,
            location: filters.location.map_or(wire::LocationFilter::Unspecified, Into::into).into(),
            practice_area: filters.practice_area.map_or(wire::PracticeArea::Unspecified, Into::into).into(),
            experience_level: filters.experience_level.map_or(wire::ExperienceLevel::Unspecified, Into::into).into(),
            employment_type: filters.employment_type.map_or(wire::EmploymentType::Unspecified, Into::into).into(),
            page_size: filters.limit,
            page_token: filters.cursor,
        }
    }
}

/// A page of open postings, newest first.
#[utoipa::path(get, path = "/api/jobs", operation_id = "listJobs", tag = "jobs", params(Filters),
    responses((status = 200, description = "`Link` names the next page.", body = [Job])))]
pub async fn list(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    uri: Uri,
    Params(filters): Params<Filters>,
) -> Result<Answer<Vec<Job>>, Problem> {
    let request = ListJobsRequest::from(filters);
    let page = gateway.services.jobs().list_jobs(caller.call.request(request)?).await?.into_inner();
    let jobs = page.jobs.into_iter().map(Job::from).collect();
    Ok(Answer::ok(jobs).next_page(&uri, &page.next_page_token))
}

/// How many postings are open.
#[utoipa::path(get, path = "/api/jobs/stats/overview", operation_id = "getJobStats", tag = "jobs",
    responses((status = 200, description = "The four cards.", body = JobStats)))]
pub async fn stats(State(gateway): State<Arc<Gateway>>, caller: Caller) -> Result<Answer<JobStats>, Problem> {
    let stats = gateway.services.jobs().get_stats(caller.call.request(GetStatsRequest {})?).await?.into_inner();
    Ok(Answer::ok(stats.into()))
}

/// My applications, newest first.
#[utoipa::path(get, path = "/api/jobs/applications/my", operation_id = "listMyApplications", tag = "jobs",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "`Link` names the next page.", body = [JobApplication])))]
pub async fn applications(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<Answer<Vec<JobApplication>>, Problem> {
    let request = ListMyApplicationsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = gateway.services.jobs().list_my_applications(member.call.request(request)?).await?.into_inner();
    let applications = page.applications.into_iter().map(JobApplication::from).collect();
    Ok(Answer::ok(applications).next_page(&uri, &page.next_page_token))
}
