//! RPCs of communities and their members.

use idempotency::Claim;
use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    communities::{
        self, ListCommunities,
        changes::{self, UpdateCommunity},
        joining,
        memberships::{self, ListMembers, SetMemberRole},
        search as index,
    },
    convert::{IdempotentRequest, community_id, community_ids, search_query},
    error::Error,
    members,
};

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListCommunitiesRequest>,
) -> RpcResult<pb::ListCommunitiesResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = ListCommunities::try_from(request.into_inner())?;
    let mut db = service.connection().await?;
    let page = communities::list(&mut db, viewer, &query).await?;
    let total = communities::count(&mut db, viewer).await?;
    let (communities, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListCommunitiesResponse { communities, next_page_token, total }))
}

pub(super) async fn search(
    service: &SocialGraphService,
    request: Request<pb::SearchCommunitiesRequest>,
) -> RpcResult<pb::SearchCommunitiesResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = search_query(&request.into_inner())?;
    let found = index::search(&mut *service.connection().await?, query, viewer).await?;
    let (communities, next_page_token, terms) = found.into_wire();
    Ok(Response::new(pb::SearchCommunitiesResponse { communities, next_page_token, terms }))
}

pub(super) async fn get(
    service: &SocialGraphService,
    request: Request<pb::GetCommunityRequest>,
) -> RpcResult<pb::GetCommunityResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = community_id(&request.get_ref().community_id)?;
    let community = communities::get(&mut *service.connection().await?, viewer, id).await?;
    Ok(Response::new(pb::GetCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn batch_get(
    service: &SocialGraphService,
    request: Request<pb::BatchGetCommunitiesRequest>,
) -> RpcResult<pb::BatchGetCommunitiesResponse> {
    let viewer = Actor::viewer(&request)?;
    let ids = community_ids(request.get_ref())?;
    let communities = communities::batch_get(&mut *service.connection().await?, viewer, &ids).await?;
    let communities = communities.into_iter().map(pb::Community::from).collect();
    Ok(Response::new(pb::BatchGetCommunitiesResponse { communities }))
}

pub(super) async fn create(
    service: &SocialGraphService,
    request: Request<pb::CreateCommunityRequest>,
) -> RpcResult<pb::CreateCommunityResponse> {
    let member = Actor::member(&request)?;
    let IdempotentRequest { body: new, key } = IdempotentRequest::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    members::lock(work, member).await?;
    let id = work.ids.new_owner();
    let claim = Claim { member, route: "CreateCommunity", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await.map_err(Error::from)? {
        let community = communities::get(work.db, Some(member), earlier).await?;
        return Ok(Response::new(pb::CreateCommunityResponse { community: Some(community.into()) }));
    }
    changes::create(work, id, member, &new).await?;
    let community = communities::get(work.db, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::CreateCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn update(
    service: &SocialGraphService,
    request: Request<pb::UpdateCommunityRequest>,
) -> RpcResult<pb::UpdateCommunityResponse> {
    let member = Actor::member(&request)?;
    let update = UpdateCommunity::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    changes::update(&mut service.work(&mut tx), member, &update).await?;
    let community = communities::get(&mut tx, Some(member), update.community).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn list_members(
    service: &SocialGraphService,
    request: Request<pb::ListMembersRequest>,
) -> RpcResult<pb::ListMembersResponse> {
    let viewer = Actor::viewer(&request)?;
    let query = ListMembers::try_from(request.into_inner())?;
    let page = memberships::list(&mut *service.connection().await?, viewer, &query).await?;
    let (members, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListMembersResponse { members, next_page_token }))
}

pub(super) async fn join(
    service: &SocialGraphService,
    request: Request<pb::JoinCommunityRequest>,
) -> RpcResult<pb::JoinCommunityResponse> {
    let member = Actor::member(&request)?;
    let id = community_id(&request.get_ref().community_id)?;
    let mut tx = service.begin().await?;
    joining::join(&mut service.work(&mut tx), id, member).await?;
    let community = communities::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::JoinCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn leave(
    service: &SocialGraphService,
    request: Request<pb::LeaveCommunityRequest>,
) -> RpcResult<pb::LeaveCommunityResponse> {
    let member = Actor::member(&request)?;
    let id = community_id(&request.get_ref().community_id)?;
    let mut tx = service.begin().await?;
    joining::leave(&mut service.work(&mut tx), id, member).await?;
    // A former member does not see a private community, which then looks like a missing one.
    let community = match communities::get(&mut tx, Some(member), id).await {
        Ok(community) => Some(community.into()),
        Err(Error::CommunityNotFound) => None,
        Err(error) => return Err(error.into()),
    };
    commit(tx).await?;
    Ok(Response::new(pb::LeaveCommunityResponse { community }))
}

pub(super) async fn set_member_role(
    service: &SocialGraphService,
    request: Request<pb::SetMemberRoleRequest>,
) -> RpcResult<pb::SetMemberRoleResponse> {
    let member = Actor::member(&request)?;
    let set = SetMemberRole::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    let membership = memberships::set_role(&mut service.work(&mut tx), member, &set).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SetMemberRoleResponse { member: Some(membership.into()) }))
}
