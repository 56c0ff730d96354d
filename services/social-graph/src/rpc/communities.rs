//! RPCs of communities and their members.

use idempotency::Claim;
use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    communities::{
        self, ListCommunities, Role,
        changes::{self, UpdateCommunity},
        join_requests,
        joining::{self, Departure, Joined},
        log::{self, Action, NewEntry},
        memberships::{self, ListMembers, SetMemberRole},
        search as index,
    },
    convert::{IdempotentRequest, community_id, community_ids, search_query},
    error::Error,
    members,
    publishing::{self, admissions},
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
    let (id, now) = (service.ids.new_owner(), service.clock.now());
    let mut tx = service.begin().await?;
    members::lock(&mut tx, member, now).await?;
    let claim = Claim { member, route: "CreateCommunity", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(&mut tx, &claim, now).await.map_err(Error::from)? {
        let community = communities::get(&mut tx, Some(member), earlier).await?;
        return Ok(Response::new(pb::CreateCommunityResponse { community: Some(community.into()) }));
    }
    changes::create(&mut tx, id, member, &new.text, new.access, now).await?;
    publishing::publish_community_changed(&service.outbox, &mut tx, id, &new.text.name, now).await?;
    publishing::publish_community_joined(&service.outbox, &mut tx, id, member, Role::Owner, now).await?;
    let community = communities::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::CreateCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn update(
    service: &SocialGraphService,
    request: Request<pb::UpdateCommunityRequest>,
) -> RpcResult<pb::UpdateCommunityResponse> {
    let member = Actor::member(&request)?;
    let UpdateCommunity { community: id, text, access } = UpdateCommunity::try_from(request.into_inner())?;
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let update = changes::update(&mut tx, id, member, &text, access).await?;
    if update.became_private {
        publishing::publish_community_hidden(&service.outbox, &mut tx, id, &text.name, now).await?;
    } else if update.changed {
        publishing::publish_community_changed(&service.outbox, &mut tx, id, &text.name, now).await?;
    }
    for requester in update.ended_requests {
        admissions::publish_join_request_removed(&service.outbox, &mut tx, id, requester, now).await?;
    }
    let community = communities::get(&mut tx, Some(member), id).await?;
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
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let outbox = &service.outbox;
    match joining::join(&mut tx, id, member, now).await? {
        Joined::Member { was_requested, invitation } => {
            if was_requested {
                admissions::publish_join_request_removed(outbox, &mut tx, id, member, now).await?;
            }
            if let Some(invited_by) = invitation {
                admissions::publish_invitation_removed(outbox, &mut tx, id, member, invited_by, now).await?;
            }
            publishing::publish_community_joined(outbox, &mut tx, id, member, Role::Member, now).await?;
        }
        Joined::Requested => {
            let moderators = join_requests::list_moderators(&mut tx, id).await?;
            admissions::publish_join_requested(outbox, &mut tx, id, member, &moderators, now).await?;
        }
        Joined::Unchanged => {}
    }
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
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let Departure { left, withdrew_request, declined } = joining::leave(&mut tx, id, member, now).await?;
    if left {
        publishing::publish_community_left(&service.outbox, &mut tx, id, member, now).await?;
        service.end_invitations_of(&mut tx, id, member).await?;
    }
    if withdrew_request {
        admissions::publish_join_request_removed(&service.outbox, &mut tx, id, member, now).await?;
    }
    if let Some(invited_by) = declined {
        admissions::publish_invitation_removed(&service.outbox, &mut tx, id, member, invited_by, now).await?;
    }
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
    let SetMemberRole { community, member: other, role } = SetMemberRole::try_from(request.into_inner())?;
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let (membership, changed) = memberships::set_role(&mut tx, community, member, other, role).await?;
    if changed {
        publishing::publish_community_joined(&service.outbox, &mut tx, community, other, role, now).await?;
        service.end_invitations_of(&mut tx, community, other).await?;
        let entry = service.log_entry(community, Action::RoleSet, member, other);
        log::insert(&mut tx, &NewEntry { role: Some(role), ..entry }, now).await?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::SetMemberRoleResponse { member: Some(membership.into()) }))
}
