//! Updates of the own profile: the card, and the lists of the career.

use axum::extract::State;
use portia_proto::profile::{ReplaceProfileRequest, UpdateMemberRequest, update_member_request::Picture};

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::ProfileClient;
use crate::{
    api::{
        members::views::{ProfileView, User},
        profile::views::{ReplaceProfile, UpdateUser},
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id},
        problem::Problem,
    },
};

/// Updates the card and the picture of the signed-in member.
#[utoipa::path(patch, path = "/api/users/{id}", operation_id = "updateUser", tag = "users",
    request_body = UpdateUser,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The updated member.", body = User)))]
pub async fn update(
    State(mut profile): State<ProfileClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<UpdateUser>,
) -> Result<ApiResponse<User>, Problem> {
    member.require_owner(id.0)?;
    let request = UpdateMemberRequest::try_from(body)?;
    // Decoding is the most expensive request of a member.
    let mut call = member.call.clone();
    if let Some(Picture::NewPicture(file)) = &request.picture {
        member.limit(&limits, rate_limits::NEW_PICTURES).await?;
        call = call.extended(picture_store::encoding_time(file));
    }
    let answer = profile.update_member(call.request(request)?).await?.into_inner();
    members.forget(&member.id.to_string());
    answer.member.map(|member| ApiResponse::ok(member.into())).ok_or(Problem::internal())
}

/// Replaces bio, experience, education and skills of the signed-in member.
#[utoipa::path(put, path = "/api/users/{id}/profile", operation_id = "replaceProfile", tag = "users",
    request_body = ReplaceProfile,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The new profile, without `stats`.", body = ProfileView)))]
pub async fn replace(
    State(mut profile): State<ProfileClient>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<ReplaceProfile>,
) -> Result<ApiResponse<ProfileView>, Problem> {
    member.require_owner(id.0)?;
    member.require_self(body.user_id.as_deref())?;
    let request = ReplaceProfileRequest::from(body);
    let answer = profile.replace_profile(member.call.request(request)?).await?.into_inner();
    answer.member.map(|member| ApiResponse::ok(member.into())).ok_or(Problem::internal())
}
