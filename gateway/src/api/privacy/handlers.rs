//! Privacy settings of the signed-in member. The owning services enforce them.

use axum::extract::State;
use portia_proto::profile::{GetPrivacySettingsRequest, UpdatePrivacySettingsRequest};

use crate::{
    api::{
        ids::OfUser,
        members::cache::MemberCache,
        privacy::views::{PrivacySettings, UpdatePrivacySettings},
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        limits::Limits,
        problem::Problem,
        upstreams::ProfileClient,
    },
};

/// Returns the privacy settings of the signed-in member.
#[utoipa::path(get, path = "/api/users/{id}/privacy", operation_id = "getPrivacySettings", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The settings.", body = PrivacySettings)))]
pub async fn get(
    State(mut profile): State<ProfileClient>,
    member: Member,
    id: Id<OfUser>,
) -> Result<ApiResponse<PrivacySettings>, Problem> {
    member.require_owner(id.0)?;
    let answer = profile.get_privacy_settings(member.call.request(GetPrivacySettingsRequest {})?).await?.into_inner();
    answer.settings.map(|settings| ApiResponse::ok(settings.into())).ok_or(Problem::internal())
}

/// Changes privacy settings of the signed-in member. They apply to messages, activity and suggestions within seconds.
#[utoipa::path(patch, path = "/api/users/{id}/privacy", operation_id = "updatePrivacySettings", tag = "users",
    request_body = UpdatePrivacySettings,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The settings after the update.", body = PrivacySettings)))]
pub async fn update(
    State(mut profile): State<ProfileClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<UpdatePrivacySettings>,
) -> Result<ApiResponse<PrivacySettings>, Problem> {
    member.require_owner(id.0)?;
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = UpdatePrivacySettingsRequest::from(body);
    let answer = profile.update_privacy_settings(member.call.request(request)?).await?.into_inner();
    members.forget(&member.id.to_string());
    answer.settings.map(|settings| ApiResponse::ok(settings.into())).ok_or(Problem::internal())
}
