//! Changes of the onboarding. The own profile contains its state.

use axum::extract::State;
use portia_proto::profile::UpdateOnboardingRequest;

use crate::{
    api::{
        ids::OfUser,
        onboarding::{
            communities,
            views::{Onboarding, UpdateOnboarding},
        },
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        limits::Limits,
        problem::Problem,
        upstreams::{ProfileClient, SocialGraphClient},
    },
};

/// Marks a step of the onboarding as done or skipped, or dismisses the checklist. 404 for members who registered before
/// the onboarding existed.
#[utoipa::path(patch, path = "/api/users/{id}/onboarding", operation_id = "updateOnboarding", tag = "users",
    request_body = UpdateOnboarding,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The onboarding after the update.", body = Onboarding)))]
pub async fn update(
    State(mut profile): State<ProfileClient>,
    State(graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<UpdateOnboarding>,
) -> Result<ApiResponse<Onboarding>, Problem> {
    member.require_owner(id.0)?;
    let request = UpdateOnboardingRequest::try_from(body)?;
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let answer = profile.update_onboarding(member.call.request(request)?).await?.into_inner();
    let onboarding = answer.onboarding.ok_or(Problem::internal())?;
    let (onboarding, degraded) = communities::complete(onboarding, graph, &member.call).await;
    Ok(ApiResponse::ok(onboarding.into()).degraded(degraded))
}
