//! Set, remove and list reactions.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, pb};
use crate::{
    convert::{NewReaction, PageRequest, PostChildren, parse_post_id},
    cursors::ReactionsCursor,
    error::Error,
    reactions::{Reaction, changes, list},
};

pub(super) async fn set(
    service: &FeedService,
    request: Request<pb::SetReactionRequest>,
) -> RpcResult<pb::SetReactionResponse> {
    let member_id = Actor::member(&request)?;
    let NewReaction { post_id, kind } = request.into_inner().try_into().map_err(Error::from)?;
    let (reaction, now) = (Reaction { member_id, kind }, service.clock.now());
    let mut db = service.connection().await?;
    let fact = service.facts.prepare_post_reacted(post_id, reaction);
    let like_count = changes::set(&mut db, post_id, reaction, &fact, now).await?;
    Ok(Response::new(pb::SetReactionResponse { reaction: Some(reaction.into()), like_count }))
}

pub(super) async fn remove(
    service: &FeedService,
    request: Request<pb::RemoveReactionRequest>,
) -> RpcResult<pb::RemoveReactionResponse> {
    let member = Actor::member(&request)?;
    let post_id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let mut db = service.connection().await?;
    let fact = service.facts.prepare_post_reaction_removed(post_id, member);
    let like_count = changes::remove(&mut db, post_id, member, &fact, service.clock.now()).await?;
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
