//! Applications of the caller: get and apply.

use axum::extract::State;
use portia_proto::jobs::GetApplicationRequest;

use crate::api::ids::OfApplication;
use crate::edge::upstreams::JobsClient;
use crate::{
    api::applications::views::JobApplicationDetails,
    edge::{answer::ApiResponse, authentication::Member, extract::Id, problem::Problem},
};

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
