//! RPCs of following members.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    convert::OtherMember,
    follows::{self, ListFollows},
};

pub(super) async fn follow(
    service: &SocialGraphService,
    request: Request<pb::FollowMemberRequest>,
) -> RpcResult<pb::FollowMemberResponse> {
    let member = Actor::member(&request)?;
    let other = OtherMember::than(member, &request.get_ref().member_id)?;
    let mut tx = service.begin().await?;
    follows::follow(&mut service.work(&mut tx), member, other, service.rate_limit_scale).await?;
    commit(tx).await?;
    Ok(Response::new(pb::FollowMemberResponse {}))
}

pub(super) async fn unfollow(
    service: &SocialGraphService,
    request: Request<pb::UnfollowMemberRequest>,
) -> RpcResult<pb::UnfollowMemberResponse> {
    let member = Actor::member(&request)?;
    let OtherMember(other) = OtherMember::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    follows::unfollow(&mut service.work(&mut tx), member, other).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UnfollowMemberResponse {}))
}

pub(super) async fn get(
    service: &SocialGraphService,
    request: Request<pb::GetFollowRequest>,
) -> RpcResult<pb::GetFollowResponse> {
    let member = Actor::member(&request)?;
    let OtherMember(other) = OtherMember::try_from(request.into_inner())?;
    let followed = follows::is_followed(&mut *service.connection().await?, member, other).await?;
    Ok(Response::new(pb::GetFollowResponse { followed }))
}

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListFollowsRequest>,
) -> RpcResult<pb::ListFollowsResponse> {
    let member = Actor::member(&request)?;
    let query = ListFollows::try_from(request.into_inner())?;
    let page = follows::list(&mut *service.connection().await?, member, &query).await?;
    let (follows, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListFollowsResponse { follows, next_page_token }))
}
