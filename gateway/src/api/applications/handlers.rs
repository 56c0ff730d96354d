//! Applications of the caller: list, get, apply, update.

use axum::extract::State;
use http::Uri;
use portia_proto::jobs::{GetApplicationRequest, ListMyApplicationsRequest};

use crate::api::ids::{OfApplication, OfJob};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::JobsClient;
use crate::{
    api::applications::views::{ApplyForJob, JobApplication, JobApplicationDetails, UpdateApplication},
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, IdempotencyKey, Paging, Params},
        problem::Problem,
    },
};

/// Lists the applications of the signed-in member, newest first.
#[utoipa::path(get, path = "/api/jobs/applications/my", operation_id = "listMyApplications", tag = "jobs",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [JobApplication])))]
pub async fn list(
    State(mut jobs): State<JobsClient>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<JobApplication>>, Problem> {
    let request = ListMyApplicationsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = jobs.list_my_applications(member.call.request(request)?).await?.into_inner();
    let applications = page.applications.into_iter().map(JobApplication::from).collect();
    Ok(ApiResponse::ok(applications).next_page(&uri, &page.next_page_token))
}

/// Returns an application of the signed-in member with its history.
#[utoipa::path(get, path = "/api/jobs/applications/{id}", operation_id = "getApplication", tag = "jobs",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the application.")),
    responses((status = 200, description = "The application with its history.", body = JobApplicationDetails)))]
pub async fn get(
    State(mut jobs): State<JobsClient>,
    member: Member,
    id: Id<OfApplication>,
) -> Result<ApiResponse<JobApplicationDetails>, Problem> {
    let request = GetApplicationRequest { application_id: id.0.to_string() };
    let answer = jobs.get_application(member.call.request(request)?).await?.into_inner();
    let application = answer.application.ok_or(Problem::internal())?;
    Ok(ApiResponse::ok(JobApplicationDetails::of(application, answer.history)))
}

/// Updates the status or the notes of an application of the signed-in member, or whether it was sent to the employer.
#[utoipa::path(patch, path = "/api/jobs/applications/{id}", operation_id = "updateApplication", tag = "jobs",
    request_body = UpdateApplication,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the application.")),
    responses((status = 200, description = "The current state.", body = JobApplication)))]
pub async fn update(
    State(mut jobs): State<JobsClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfApplication>,
    Body(body): Body<UpdateApplication>,
) -> Result<ApiResponse<JobApplication>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = member.call.request(body.of(id.0.to_string()))?;
    let answer = jobs.update_application(request).await?.into_inner();
    answer.application.map(|application| ApiResponse::ok(application.into())).ok_or(Problem::internal())
}

/// Records an application for an open posting, with a copy of the posting.
#[utoipa::path(post, path = "/api/jobs/{id}/apply", operation_id = "applyForJob", tag = "jobs",
    request_body = ApplyForJob,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the posting."),
        ("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the application of the first one, for 24 hours.")),
    responses((status = 201, description = "The application. `Location` contains its URL.", body = JobApplication)))]
pub async fn apply(
    State(mut jobs): State<JobsClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfJob>,
    key: IdempotencyKey,
    Body(body): Body<ApplyForJob>,
) -> Result<ApiResponse<JobApplication>, Problem> {
    member.limit(&limits, rate_limits::APPLICATIONS).await?;
    let request = member.call.request(body.of(id.0.to_string(), key.0))?;
    let answer = jobs.apply(request).await?.into_inner();
    let application = answer.application.ok_or(Problem::internal())?;
    let path = format!("/api/jobs/applications/{}", application.id);
    Ok(ApiResponse::created(application.into()).at(&path))
}
