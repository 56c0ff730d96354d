//! RPCs of blocks.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    blocks::{self, ListBlocks},
    convert::OtherMember,
};

pub(super) async fn block(
    service: &SocialGraphService,
    request: Request<pb::BlockMemberRequest>,
) -> RpcResult<pb::BlockMemberResponse> {
    let member = Actor::member(&request)?;
    let other = OtherMember::than(member, &request.get_ref().member_id)?;
    let mut tx = service.begin().await?;
    blocks::block(&mut service.work(&mut tx), member, other).await?;
    commit(tx).await?;
    Ok(Response::new(pb::BlockMemberResponse {}))
}

pub(super) async fn unblock(
    service: &SocialGraphService,
    request: Request<pb::UnblockMemberRequest>,
) -> RpcResult<pb::UnblockMemberResponse> {
    let member = Actor::member(&request)?;
    let OtherMember(other) = OtherMember::try_from(request.into_inner())?;
    let mut tx = service.begin().await?;
    blocks::unblock(&mut service.work(&mut tx), member, other).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UnblockMemberResponse {}))
}

pub(super) async fn list(
    service: &SocialGraphService,
    request: Request<pb::ListBlocksRequest>,
) -> RpcResult<pb::ListBlocksResponse> {
    let member = Actor::member(&request)?;
    let query = ListBlocks::try_from(request.into_inner())?;
    let page = blocks::list(&mut *service.connection().await?, member, &query).await?;
    let (blocks, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListBlocksResponse { blocks, next_page_token }))
}
