//! Communities: create, update and leave; answers to requests to join.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::StatusCode;
use portia_proto::social_graph::{
    AnswerJoinRequestRequest, Community as CommunityMessage, GetCommunityRequest, LeaveCommunityRequest,
};
use rpc::Call;
use uuid::Uuid;

use crate::api::ids::{OfCommunity, OfUser};
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::{
        communities::views::{CommunityDetails, UpdateCommunity},
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, Ids},
        problem::Problem,
    },
};

async fn fetch(gateway: &Gateway, call: &Call, id: Uuid) -> Result<CommunityMessage, Problem> {
    let request = GetCommunityRequest { community_id: id.to_string() };
    let answer = gateway.clients.graph().get_community(call.request(request)?).await?.into_inner();
    answer.community.ok_or(Problem::internal())
}

/// Updates the texts of a community, who sees it and how members join it. Only for its owners. Requests to join end when the
/// community is not joined on request any more.
#[utoipa::path(patch, path = "/api/communities/{id}", operation_id = "updateCommunity", tag = "communities",
    request_body = UpdateCommunity,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 200, description = "The current state.", body = CommunityDetails)))]
pub async fn update(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    id: Id<OfCommunity>,
    Body(body): Body<UpdateCommunity>,
) -> Result<ApiResponse<CommunityDetails>, Problem> {
    member.limit(&gateway.limits, rate_limits::REACTIONS).await?;
    // UpdateCommunity replaces all fields. Of two concurrent changes the later one wins.
    let current =
        if body.is_complete() { CommunityMessage::default() } else { fetch(&gateway, &member.call, id.0).await? };
    let request = body.merge_into(id.0.to_string(), current);
    let answer = gateway.clients.graph().update_community(member.call.request(request)?).await?.into_inner();
    community_response(answer.community)
}

/// Leaves a community, withdraws a request to join, or declines an invitation. The last owner cannot leave. Repeated requests, and
/// requests about a community that the caller does not see, have no effect.
#[utoipa::path(delete, path = "/api/communities/{id}/membership", operation_id = "leaveCommunity",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 200, description = "The current state.", body = CommunityDetails),
        (status = 204, description = "The caller does not see the community, or does not see it any more.")))]
pub async fn leave(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfCommunity>,
) -> Result<Response, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = LeaveCommunityRequest { community_id: id.0.to_string() };
    let left = graph.leave_community(member.call.request(request)?).await?.into_inner().community;
    Ok(match left {
        Some(community) => ApiResponse::ok(CommunityDetails::from(community)).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

fn community_response(community: Option<CommunityMessage>) -> Result<ApiResponse<CommunityDetails>, Problem> {
    community.map(|community| ApiResponse::ok(community.into())).ok_or(Problem::internal())
}

/// Approves a request to join. Only for owners and moderators. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/communities/{id}/requests/{memberId}", operation_id = "approveCommunityRequest",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member who asks.")),
    responses((status = 204, description = "The member belongs to the community.")))]
pub async fn approve(
    State(graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
) -> Result<StatusCode, Problem> {
    answer_request(graph, &limits, &member, &ids, true).await
}

/// Declines a request to join. Only for owners and moderators.
#[utoipa::path(delete, path = "/api/communities/{id}/requests/{memberId}", operation_id = "declineCommunityRequest",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member who asks.")),
    responses((status = 204, description = "The request is deleted.")))]
pub async fn decline(
    State(graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
) -> Result<StatusCode, Problem> {
    answer_request(graph, &limits, &member, &ids, false).await
}

async fn answer_request(
    mut graph: SocialGraphClient,
    limits: &Limits,
    member: &Member,
    ids: &Ids<OfCommunity, OfUser>,
    approve: bool,
) -> Result<StatusCode, Problem> {
    member.limit(limits, rate_limits::REACTIONS).await?;
    let request = AnswerJoinRequestRequest { community_id: ids.0.to_string(), member_id: ids.1.to_string(), approve };
    graph.answer_join_request(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
