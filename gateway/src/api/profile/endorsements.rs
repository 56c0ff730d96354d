//! Endorsements of skills: list, endorse, withdraw and hide.

use axum::extract::State;
use http::Uri;
use portia_proto::profile::{
    EndorseSkillRequest, HideEndorsementRequest, ListEndorsementsRequest,
    SkillEndorsements as SkillEndorsementsMessage, WithdrawEndorsementRequest,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::ids::OfUser;
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::ProfileClient;
use crate::{
    api::{
        members::views::SkillEndorsements,
        profile::views::{EndorseSkill, Endorsement, HideEndorsement},
    },
    edge::{
        answer::ApiResponse,
        authentication::{Caller, Member},
        extract::{Body, Id, Params},
        problem::Problem,
    },
};

/// The query of `listEndorsements`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListEndorsementsQuery {
    /// The skill, exactly as in the profile.
    #[serde(default)]
    #[param(required, min_length = 1, max_length = 60)]
    skill: String,
    /// The cursor of the next page, from the `Link` header of the previous one.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// The number of entries per page, at most 100; 20 by default.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// The query of `withdrawEndorsement`.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WithdrawEndorsementQuery {
    /// The skill, exactly as in the profile.
    #[serde(default)]
    #[param(required, min_length = 1, max_length = 60)]
    skill: String,
}

/// Lists the endorsements of a skill, newest first. Only the owner sees hidden ones.
#[utoipa::path(get, path = "/api/users/{id}/endorsements", operation_id = "listEndorsements", tag = "users",
    params(("id" = Uuid, Path, description = "The id of the member."), ListEndorsementsQuery),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [Endorsement])))]
pub async fn list(
    State(mut profile): State<ProfileClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfUser>,
    uri: Uri,
    Params(query): Params<ListEndorsementsQuery>,
) -> Result<ApiResponse<Vec<Endorsement>>, Problem> {
    let request = ListEndorsementsRequest {
        member_id: id.0.to_string(),
        skill: query.skill,
        page_size: query.limit,
        page_token: query.cursor,
    };
    let page = profile.list_endorsements(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.endorsements.iter().map(|e| e.endorser_id.as_str())).await;
    let endorsements = page.endorsements.into_iter().map(|e| Endorsement::of(e, &people)).collect();
    Ok(ApiResponse::ok(endorsements).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Endorses a skill of a connection. Repeated requests have no effect.
#[utoipa::path(post, path = "/api/users/{id}/endorsements", operation_id = "endorseSkill", tag = "users",
    request_body = EndorseSkill,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member.")),
    responses((status = 200, description = "The endorsements of the skill.", body = SkillEndorsements)))]
pub async fn give(
    State(mut profile): State<ProfileClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<EndorseSkill>,
) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = EndorseSkillRequest { member_id: id.0.to_string(), skill: body.skill };
    let answer = profile.endorse_skill(member.call.request(request)?).await?.into_inner();
    endorsements_response(answer.endorsements)
}

/// Withdraws the endorsement of the signed-in member. Succeeds without one too.
#[utoipa::path(delete, path = "/api/users/{id}/endorsements", operation_id = "withdrawEndorsement", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the member."), WithdrawEndorsementQuery),
    responses((status = 200, description = "The endorsements of the skill.", body = SkillEndorsements)))]
pub async fn withdraw(
    State(mut profile): State<ProfileClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Params(query): Params<WithdrawEndorsementQuery>,
) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = WithdrawEndorsementRequest { member_id: id.0.to_string(), skill: query.skill };
    let answer = profile.withdraw_endorsement(member.call.request(request)?).await?.into_inner();
    endorsements_response(answer.endorsements)
}

/// Hides an endorsement of a skill of the signed-in member, or shows it again.
#[utoipa::path(patch, path = "/api/users/{id}/endorsements", operation_id = "hideEndorsement", tag = "users",
    request_body = HideEndorsement,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the signed-in member.")),
    responses((status = 200, description = "The endorsements of the skill.", body = SkillEndorsements)))]
pub async fn hide(
    State(mut profile): State<ProfileClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Body(body): Body<HideEndorsement>,
) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    member.require_owner(id.0)?;
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = HideEndorsementRequest { skill: body.skill, endorser_id: body.endorser_id, hidden: body.hidden };
    let answer = profile.hide_endorsement(member.call.request(request)?).await?.into_inner();
    endorsements_response(answer.endorsements)
}

fn endorsements_response(
    response: Option<SkillEndorsementsMessage>,
) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    response.map(|endorsements| ApiResponse::ok(endorsements.into())).ok_or(Problem::internal())
}
