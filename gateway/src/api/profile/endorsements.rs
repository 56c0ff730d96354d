//! Endorsements of a member's skills: given, taken back, hidden by their owner, listed.

use axum::extract::State;
use http::Uri;
use portia_proto::profile::{
    EndorseSkillRequest, HideEndorsementRequest, ListEndorsementsRequest, SkillEndorsements as Standing,
    WithdrawEndorsementRequest,
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

/// Which skill's endorsements.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OfSkill {
    /// As the profile spells it.
    #[serde(default)]
    #[param(required)]
    skill: String,
    /// Where the last page ended, from its `Link` header.
    #[serde(default)]
    #[param(required = false)]
    cursor: String,
    /// Entries a page, at most 100; 20 when left out.
    #[serde(default)]
    #[param(required = false)]
    limit: i32,
}

/// Which skill.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Skill {
    /// As the profile spells it.
    #[serde(default)]
    #[param(required)]
    skill: String,
}

/// Who endorsed a skill, newest first. Its owner is told of hidden ones too.
#[utoipa::path(get, path = "/api/users/{id}/endorsements", operation_id = "listEndorsements", tag = "users",
    params(("id" = Uuid, Path, description = "The member's id."), OfSkill),
    responses((status = 200, description = "`Link` names the next page.", body = [Endorsement])))]
pub async fn list(
    State(mut profile): State<ProfileClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfUser>,
    uri: Uri,
    Params(of): Params<OfSkill>,
) -> Result<ApiResponse<Vec<Endorsement>>, Problem> {
    let request = ListEndorsementsRequest {
        member_id: id.0.to_string(),
        skill: of.skill,
        page_size: of.limit,
        page_token: of.cursor,
    };
    let page = profile.list_endorsements(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.endorsements.iter().map(|e| e.endorser_id.as_str())).await;
    let endorsements = page.endorsements.into_iter().map(|e| Endorsement::of(e, &people)).collect();
    Ok(ApiResponse::ok(endorsements).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Endorses a skill of somebody I am connected with; saying it again changes nothing.
#[utoipa::path(post, path = "/api/users/{id}/endorsements", operation_id = "endorseSkill", tag = "users",
    request_body = EndorseSkill,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The member's id.")),
    responses((status = 200, description = "How the skill stands now.", body = SkillEndorsements)))]
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

/// Takes my endorsement back, whether or not there was one.
#[utoipa::path(delete, path = "/api/users/{id}/endorsements", operation_id = "withdrawEndorsement", tag = "users",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The member's id."), Skill),
    responses((status = 200, description = "How the skill stands now.", body = SkillEndorsements)))]
pub async fn withdraw(
    State(mut profile): State<ProfileClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfUser>,
    Params(of): Params<Skill>,
) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = WithdrawEndorsementRequest { member_id: id.0.to_string(), skill: of.skill };
    let answer = profile.withdraw_endorsement(member.call.request(request)?).await?.into_inner();
    endorsements_response(answer.endorsements)
}

/// Hides an endorsement of my own skill, or shows it again.
#[utoipa::path(patch, path = "/api/users/{id}/endorsements", operation_id = "hideEndorsement", tag = "users",
    request_body = HideEndorsement,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The signed-in member's id.")),
    responses((status = 200, description = "How the skill stands now.", body = SkillEndorsements)))]
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

fn endorsements_response(response: Option<Standing>) -> Result<ApiResponse<SkillEndorsements>, Problem> {
    response.map(|standing| ApiResponse::ok(standing.into())).ok_or(Problem::internal())
}
