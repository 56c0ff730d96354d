//! RPCs of owners and moderators of a community.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    communities::{
        self, CommunityMemberRef, CommunityPage, log,
        moderation::{self, RemoveMember},
        ownership,
    },
    convert::community_id,
};

pub(super) async fn transfer(
    service: &SocialGraphService,
    request: Request<pb::TransferCommunityRequest>,
) -> RpcResult<pb::TransferCommunityResponse> {
    let member = Actor::member(&request)?;
    let CommunityMemberRef { community: id, member: other } = CommunityMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    ownership::transfer(&mut service.work(&mut tx), id, member, other).await?;
    let community = communities::get(&mut tx, Some(member), id).await?;
    commit(tx).await?;
    Ok(Response::new(pb::TransferCommunityResponse { community: Some(community.into()) }))
}

pub(super) async fn dissolve(
    service: &SocialGraphService,
    request: Request<pb::DissolveCommunityRequest>,
) -> RpcResult<pb::DissolveCommunityResponse> {
    let member = Actor::member(&request)?;
    let id = community_id(&request.get_ref().community_id)?;
    let mut tx = service.begin().await?;
    ownership::dissolve(&mut service.work(&mut tx), id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::DissolveCommunityResponse {}))
}

pub(super) async fn remove_member(
    service: &SocialGraphService,
    request: Request<pb::RemoveMemberRequest>,
) -> RpcResult<pb::RemoveMemberResponse> {
    let member = Actor::member(&request)?;
    let removal = RemoveMember::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    moderation::remove(&mut service.work(&mut tx), member, &removal).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RemoveMemberResponse {}))
}

pub(super) async fn unban_member(
    service: &SocialGraphService,
    request: Request<pb::UnbanMemberRequest>,
) -> RpcResult<pb::UnbanMemberResponse> {
    let member = Actor::member(&request)?;
    let CommunityMemberRef { community: id, member: other } = CommunityMemberRef::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    moderation::unban(&mut service.work(&mut tx), id, member, other).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UnbanMemberResponse {}))
}

pub(super) async fn list_bans(
    service: &SocialGraphService,
    request: Request<pb::ListBansRequest>,
) -> RpcResult<pb::ListBansResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = moderation::list_bans(&mut *service.connection().await?, member, &query).await?;
    let (bans, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListBansResponse { bans, next_page_token }))
}

pub(super) async fn list_log(
    service: &SocialGraphService,
    request: Request<pb::ListCommunityLogRequest>,
) -> RpcResult<pb::ListCommunityLogResponse> {
    let member = Actor::member(&request)?;
    let query = CommunityPage::try_from(request.into_inner())?;
    let page = log::list(&mut *service.connection().await?, member, &query).await?;
    let (entries, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListCommunityLogResponse { entries, next_page_token }))
}
