//! Set, remove and list reactions.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, pb};
use crate::{
    convert::{NewReaction, PageRequest, PostChildren, parse_post_id},
    cursors::ReactionsCursor,
    error::Error,
    posts::reactions,
    reactions::{Reaction, list},
};

pub(super) async fn set(
    service: &FeedService,
    request: Request<pb::SetReactionRequest>,
) -> RpcResult<pb::SetReactionResponse> {
    let member_id = Actor::member(&request)?;
    let NewReaction { post_id, kind } = request.into_inner().try_into().map_err(Error::from)?;
    let reaction = Reaction { member_id, kind };
    let db = &mut *service.connection().await?;
    let like_count = reactions::set(&mut service.work(db), post_id, reaction).await?;
    Ok(Response::new(pb::SetReactionResponse { reaction: Some(reaction.into()), like_count }))
}

pub(super) async fn remove(
    service: &FeedService,
    request: Request<pb::RemoveReactionRequest>,
) -> RpcResult<pb::RemoveReactionResponse> {
    let member = Actor::member(&request)?;
    let post_id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let like_count = reactions::remove(&mut service.work(db), post_id, member).await?;
    Ok(Response::new(pb::RemoveReactionResponse { like_count }))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListReactionsRequest>,
) -> RpcResult<pb::ListReactionsResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<PostChildren<ReactionsCursor>> =
        request.into_inner().try_into().map_err(Error::from)?;
    let page = list::list(&mut *service.connection().await?, viewer, query.post_id, size, query.after).await?;
    let (reactions, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListReactionsResponse { reactions, next_page_token }))
}
