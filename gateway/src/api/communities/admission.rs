//! Requests to join a community and their answers; invitations and the caller's own ones.

use std::sync::Arc;

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{
    AnswerJoinRequestRequest, InviteMemberRequest, ListInvitationsRequest, ListJoinRequestsRequest,
    ListOwnInvitationsRequest, WithdrawInvitationRequest,
};

use crate::api::contract::social_graph::{CommunityInvitation, CommunityJoinRequest, OwnCommunityInvitation};
use crate::{
    api::{
        ids::{OfCommunity, OfUser},
        members::cache::MemberCache,
        rate_limits,
        state::Gateway,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Id, Ids, Paging, Params},
        limits::Limits,
        problem::Problem,
        upstreams::SocialGraphClient,
    },
};

/// Lists the requests to join a community, oldest first. Only for owners and moderators.
#[utoipa::path(get, path = "/api/communities/{id}/requests", operation_id = "listCommunityRequests", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [CommunityJoinRequest])))]
pub async fn requests(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    id: Id<OfCommunity>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<CommunityJoinRequest>>, Problem> {
    let request =
        ListJoinRequestsRequest { community_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_join_requests(member.call.request(request)?).await?.into_inner();
    let people = members.cards(&member.call, page.requests.iter().map(|each| each.member_id.as_str())).await;
    let requests = page.requests.into_iter().map(|request| CommunityJoinRequest::of(request, &people)).collect();
    Ok(ApiResponse::ok(requests).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
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
    answer(graph, &limits, &member, &ids, true).await
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
    answer(graph, &limits, &member, &ids, false).await
}

async fn answer(
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

/// Lists the invitations of a community that wait for an answer, newest first. Only for owners and moderators.
#[utoipa::path(get, path = "/api/communities/{id}/invitations", operation_id = "listCommunityInvitations",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [CommunityInvitation])))]
pub async fn invitations(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    id: Id<OfCommunity>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<CommunityInvitation>>, Problem> {
    let request =
        ListInvitationsRequest { community_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_invitations(member.call.request(request)?).await?.into_inner();
    let mut concerned: Vec<&str> = page.invitations.iter().map(|each| each.member_id.as_str()).collect();
    concerned.extend(page.invitations.iter().filter_map(|each| each.invited_by_id.as_deref()));
    let people = members.cards(&member.call, concerned).await;
    let invitations = page.invitations.into_iter().map(|each| CommunityInvitation::of(each, &people)).collect();
    Ok(ApiResponse::ok(invitations).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Invites a member to a community; a request of the member to join is approved instead. Only for owners and moderators. Repeated
/// requests have no effect.
#[utoipa::path(put, path = "/api/communities/{id}/invitations/{memberId}", operation_id = "inviteCommunityMember",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member to invite.")),
    responses((status = 204, description = "The member is invited, or belongs to the community.")))]
pub async fn invite(
    State(gateway): State<Arc<Gateway>>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&gateway.limits, rate_limits::COMMUNITY_INVITATIONS).await?;
    let request = InviteMemberRequest { community_id: ids.0.to_string(), member_id: ids.1.to_string() };
    gateway.clients.graph().invite_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Withdraws an invitation. Only for owners and moderators. Repeated requests have no effect.
#[utoipa::path(delete, path = "/api/communities/{id}/invitations/{memberId}",
    operation_id = "withdrawCommunityInvitation", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the invited member.")),
    responses((status = 204, description = "The member is not invited.")))]
pub async fn withdraw(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = WithdrawInvitationRequest { community_id: ids.0.to_string(), member_id: ids.1.to_string() };
    graph.withdraw_invitation(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the invitations of the caller to communities, newest first. `PUT` and `DELETE` of the membership answer them.
#[utoipa::path(get, path = "/api/communities/invitations", operation_id = "listOwnCommunityInvitations",
    tag = "communities",
    security(("session" = [])),
    params(Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [OwnCommunityInvitation])))]
pub async fn own_invitations(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<OwnCommunityInvitation>>, Problem> {
    let request = ListOwnInvitationsRequest { page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_own_invitations(member.call.request(request)?).await?.into_inner();
    let people =
        members.cards(&member.call, page.invitations.iter().filter_map(|each| each.invited_by_id.as_deref())).await;
    let invitations =
        page.invitations.into_iter().filter_map(|each| OwnCommunityInvitation::of(each, &people)).collect();
    Ok(ApiResponse::ok(invitations).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}
