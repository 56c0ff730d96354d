//! RPCs of blocks.

use portia_proto::social_graph as pb;
use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{RpcResult, SocialGraphService, commit};
use crate::{
    blocks::{self, ListBlocks},
    convert::OtherMember,
    publishing::{self, admissions},
};

pub(super) async fn block(
    service: &SocialGraphService,
    request: Request<pb::BlockMemberRequest>,
) -> RpcResult<pb::BlockMemberResponse> {
    let member = Actor::member(&request)?;
    let other = OtherMember::than(member, &request.get_ref().member_id)?;
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let outcome = blocks::block(&mut tx, member, other, now).await?;
    if let Some(transition) = outcome.removed {
        publishing::publish_transition(&service.outbox, &mut tx, &transition, now).await?;
    }
    for pair in outcome.unfollowed {
        publishing::publish_unfollowed(&service.outbox, &mut tx, pair, now).await?;
    }
    admissions::publish_invitations_removed(&service.outbox, &mut tx, &outcome.ended_invitations, now).await?;
    if outcome.created {
        publishing::publish_blocked(&service.outbox, &mut tx, member, other, now).await?;
    }
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
    if blocks::unblock(&mut tx, member, other).await? {
        publishing::publish_unblocked(&service.outbox, &mut tx, member, other, service.clock.now()).await?;
    }
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
