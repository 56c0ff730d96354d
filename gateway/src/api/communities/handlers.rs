//! Communities: list, get, create, update, join, leave, members and their roles.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, Uri};
use portia_proto::social_graph::{
    Community as CommunityMessage, CommunityRole as RoleMessage, GetCommunityRequest, JoinCommunityRequest,
    LeaveCommunityRequest, ListCommunitiesRequest, ListMembersRequest, SetMemberRoleRequest,
};
use rpc::Call;
use uuid::Uuid;

use crate::api::ids::{OfCommunity, OfUser};
use crate::api::members::cache::MemberCache;
use crate::api::rate_limits;
use crate::edge::limits::Limits;
use crate::edge::upstreams::SocialGraphClient;
use crate::{
    api::{
        communities::views::{
            Community, CommunityDetails, CommunityMember, CreateCommunity, SetCommunityRole, UpdateCommunity,
        },
        state::Gateway,
    },
    edge::{
        answer::{ApiResponse, unless_unavailable},
        authentication::{Caller, Member},
        extract::{Body, Id, IdempotencyKey, Ids, Paging, Params},
        problem::Problem,
    },
};

/// Lists communities: those of the caller first, then the other public ones, each part by number of members. Empty with `X-Degraded`
/// while the service is unavailable.
#[utoipa::path(get, path = "/api/communities", operation_id = "listCommunities", tag = "communities",
    params(Paging),
    responses((status = 200, body = [Community],
        description = "A page of the list. `Link` contains the URL of the next page, `X-Total-Count` the number of communities.")))]
pub async fn list(
    State(mut graph): State<SocialGraphClient>,
    caller: Caller,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<Community>>, Problem> {
    let request = ListCommunitiesRequest { page_size: paging.limit, page_token: paging.cursor };
    let result = graph.list_communities(caller.call.request(request)?).await;
    let Some(page) = unless_unavailable(result)? else { return Ok(ApiResponse::missing("social-graph")) };
    let communities = page.communities.into_iter().map(Community::from).collect();
    Ok(ApiResponse::ok(communities).next_page(&uri, &page.next_page_token).total(page.total))
}

/// Creates a community with the signed-in member as owner.
#[utoipa::path(post, path = "/api/communities", operation_id = "createCommunity", tag = "communities",
    request_body = CreateCommunity,
    security(("session" = [])),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false,
            description = "A repeated request with the same key and body returns the community of the first one, for 24 hours.")),
    responses((status = 201, description = "The new community. `Location` contains its URL.", body = CommunityDetails)))]
pub async fn create(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    key: IdempotencyKey,
    Body(body): Body<CreateCommunity>,
) -> Result<ApiResponse<CommunityDetails>, Problem> {
    member.limit(&limits, rate_limits::POSTS).await?;
    let request = body.into_request(key.0);
    let answer = graph.create_community(member.call.request(request)?).await?.into_inner();
    let community = answer.community.ok_or(Problem::internal())?;
    let path = format!("/api/communities/{}", community.id);
    Ok(ApiResponse::created(community.into()).at(&path))
}

/// Returns a community.
#[utoipa::path(get, path = "/api/communities/{id}", operation_id = "getCommunity", tag = "communities",
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 200, description = "The community with its rules.", body = CommunityDetails)))]
pub async fn get(
    State(gateway): State<Arc<Gateway>>,
    caller: Caller,
    id: Id<OfCommunity>,
) -> Result<ApiResponse<CommunityDetails>, Problem> {
    Ok(ApiResponse::ok(fetch(&gateway, &caller.call, id.0).await?.into()))
}

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

/// Lists the members of a community: owners first, then by date of joining. Members in a block with the caller are left out,
/// except for owners and moderators. Empty for an invited member of a private community.
#[utoipa::path(get, path = "/api/communities/{id}/members", operation_id = "listCommunityMembers",
    tag = "communities",
    params(("id" = Uuid, Path, description = "The id of the community."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [CommunityMember])))]
pub async fn members(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    caller: Caller,
    id: Id<OfCommunity>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<CommunityMember>>, Problem> {
    let request =
        ListMembersRequest { community_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_members(caller.call.request(request)?).await?.into_inner();
    let people = members.cards(&caller.call, page.members.iter().map(|m| m.member_id.as_str())).await;
    let members = page.members.into_iter().map(|member| CommunityMember::of(member, &people)).collect();
    Ok(ApiResponse::ok(members).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Sets the role of a member of a community. Only for its owners.
#[utoipa::path(patch, path = "/api/communities/{id}/members/{memberId}", operation_id = "setCommunityRole",
    tag = "communities",
    request_body = SetCommunityRole,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member whose role is set.")),
    responses((status = 200, description = "The member with the new role.", body = CommunityMember)))]
pub async fn set_role(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
    Body(body): Body<SetCommunityRole>,
) -> Result<ApiResponse<CommunityMember>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let (community_id, member_id) = (ids.0.to_string(), ids.1.to_string());
    let request = SetMemberRoleRequest { community_id, member_id, role: RoleMessage::from(body.role).into() };
    let answer = graph.set_member_role(member.call.request(request)?).await?.into_inner();
    let changed = answer.member.ok_or(Problem::internal())?;
    let people = members.cards(&member.call, [changed.member_id.as_str()]).await;
    Ok(ApiResponse::ok(CommunityMember::of(changed, &people)).degraded(people.degraded()))
}

/// Joins a community that is open or invites the caller. Where members join on request, it asks the moderators: `standing` is then
/// `requested`. Repeated requests have no effect.
#[utoipa::path(put, path = "/api/communities/{id}/membership", operation_id = "joinCommunity", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 200, description = "The current state.", body = CommunityDetails)))]
pub async fn join(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfCommunity>,
) -> Result<ApiResponse<CommunityDetails>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = JoinCommunityRequest { community_id: id.0.to_string() };
    community_response(graph.join_community(member.call.request(request)?).await?.into_inner().community)
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
