//! Moderation of a community: owners and moderators remove and ban members, read the log, transfer and dissolve it.

use axum::extract::State;
use http::{StatusCode, Uri};
use portia_proto::social_graph::{
    DissolveCommunityRequest, ListBansRequest, ListCommunityLogRequest, RemoveMemberRequest, TransferCommunityRequest,
    UnbanMemberRequest,
};

use super::{
    moderation_views::{
        CommunityBan, CommunityLogEntry, CommunityReason, RemoveCommunityMemberQuery, TransferCommunity,
    },
    views::CommunityDetails,
};
use crate::{
    api::{
        ids::{OfCommunity, OfUser},
        members::cache::MemberCache,
        rate_limits,
    },
    edge::{
        answer::ApiResponse,
        authentication::Member,
        extract::{Body, Id, Ids, Paging, Params},
        limits::Limits,
        problem::Problem,
        upstreams::SocialGraphClient,
    },
};

/// Removes a member from a community, with a ban unless `ban=false`. Only for owners and moderators. Moderators are removed by
/// owners, owners by no one. A member who left can be banned. Banning again has no effect.
#[utoipa::path(delete, path = "/api/communities/{id}/members/{memberId}", operation_id = "removeCommunityMember",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member."),
        RemoveCommunityMemberQuery),
    responses((status = 204, description = "The member no longer belongs to the community.")))]
pub async fn remove(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
    Params(query): Params<RemoveCommunityMemberQuery>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = RemoveMemberRequest {
        community_id: ids.0.to_string(),
        member_id: ids.1.to_string(),
        ban: query.ban.unwrap_or(true),
        reason: CommunityReason::requested(query.reason),
    };
    graph.remove_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the banned members of a community, newest ban first. Only for owners and moderators.
#[utoipa::path(get, path = "/api/communities/{id}/bans", operation_id = "listCommunityBans", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [CommunityBan])))]
pub async fn bans(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    id: Id<OfCommunity>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<CommunityBan>>, Problem> {
    let request =
        ListBansRequest { community_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_bans(member.call.request(request)?).await?.into_inner();
    let people = members.cards(&member.call, page.bans.iter().map(|ban| ban.member_id.as_str())).await;
    let bans = page.bans.into_iter().map(|ban| CommunityBan::of(ban, &people)).collect();
    Ok(ApiResponse::ok(bans).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Ends the ban of a member. Only for owners and moderators. Repeated requests have no effect.
#[utoipa::path(delete, path = "/api/communities/{id}/bans/{memberId}", operation_id = "unbanCommunityMember",
    tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."),
        ("memberId" = Uuid, Path, description = "The id of the member.")),
    responses((status = 204, description = "The member may join again.")))]
pub async fn unban(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    ids: Ids<OfCommunity, OfUser>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = UnbanMemberRequest { community_id: ids.0.to_string(), member_id: ids.1.to_string() };
    graph.unban_member(member.call.request(request)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists what owners and moderators of a community did, newest first. Only for owners and moderators.
#[utoipa::path(get, path = "/api/communities/{id}/log", operation_id = "listCommunityLog", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community."), Paging),
    responses((status = 200, description = "A page of the list. `Link` contains the URL of the next page.", body = [CommunityLogEntry])))]
pub async fn log(
    State(mut graph): State<SocialGraphClient>,
    State(members): State<MemberCache>,
    member: Member,
    id: Id<OfCommunity>,
    uri: Uri,
    Params(paging): Params<Paging>,
) -> Result<ApiResponse<Vec<CommunityLogEntry>>, Problem> {
    let request =
        ListCommunityLogRequest { community_id: id.0.to_string(), page_size: paging.limit, page_token: paging.cursor };
    let page = graph.list_community_log(member.call.request(request)?).await?.into_inner();
    let mut concerned = Vec::new();
    for entry in &page.entries {
        concerned.extend(entry.actor_id.as_deref());
        concerned.extend(entry.member_id.as_deref());
    }
    let people = members.cards(&member.call, concerned).await;
    let entries = page.entries.into_iter().filter_map(|entry| CommunityLogEntry::of(entry, &people)).collect();
    Ok(ApiResponse::ok(entries).next_page(&uri, &page.next_page_token).degraded(people.degraded()))
}

/// Makes a moderator an owner and the caller a moderator. Only for owners.
#[utoipa::path(post, path = "/api/communities/{id}/transfer", operation_id = "transferCommunity", tag = "communities",
    request_body = TransferCommunity,
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 200, description = "The current state.", body = CommunityDetails)))]
pub async fn transfer(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfCommunity>,
    Body(body): Body<TransferCommunity>,
) -> Result<ApiResponse<CommunityDetails>, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    let request = TransferCommunityRequest { community_id: id.0.to_string(), member_id: body.member_id };
    let answer = graph.transfer_community(member.call.request(request)?).await?.into_inner();
    answer.community.map(|community| ApiResponse::ok(community.into())).ok_or(Problem::internal())
}

/// Deletes a community with its memberships, bans and log. Its posts remain visible to their authors only. Only for owners.
#[utoipa::path(delete, path = "/api/communities/{id}", operation_id = "dissolveCommunity", tag = "communities",
    security(("session" = [])),
    params(("id" = Uuid, Path, description = "The id of the community.")),
    responses((status = 204, description = "The community is deleted.")))]
pub async fn dissolve(
    State(mut graph): State<SocialGraphClient>,
    State(limits): State<Limits>,
    member: Member,
    id: Id<OfCommunity>,
) -> Result<StatusCode, Problem> {
    member.limit(&limits, rate_limits::REACTIONS).await?;
    graph.dissolve_community(member.call.request(DissolveCommunityRequest { community_id: id.0.to_string() })?).await?;
    Ok(StatusCode::NO_CONTENT)
}
