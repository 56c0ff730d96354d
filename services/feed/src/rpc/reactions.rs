//! Set, remove and list reactions.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    convert::{NewReaction, PageRequest, PostChildren, parse_post_id},
    error::Error,
    reactions::{Reaction, changes, list},
    timeline::cursors::ReactionsCursor,
};

pub(super) async fn set(
    service: &FeedService,
    request: Request<pb::SetReactionRequest>,
) -> RpcResult<pb::SetReactionResponse> {
    let member_id = Actor::member(&request)?;
    let NewReaction { post_id, kind } = request.into_inner().try_into().map_err(Error::from)?;
    let (reaction, now) = (Reaction { member_id, kind }, service.clock.now());
    let mut tx = service.begin().await?;
    let outcome = changes::set(&mut tx, post_id, member_id, kind, now).await?;
    if outcome.changed {
        let published = service.facts.publish_post_reacted(&mut tx, post_id, &outcome, reaction, now);
        published.await.map_err(Error::from)?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::SetReactionResponse { reaction: Some(reaction.into()), like_count: outcome.like_count }))
}

pub(super) async fn remove(
    service: &FeedService,
    request: Request<pb::RemoveReactionRequest>,
) -> RpcResult<pb::RemoveReactionResponse> {
    let member = Actor::member(&request)?;
    let post_id = parse_post_id(&request.get_ref().post_id).map_err(Error::from)?;
    let now = service.clock.now();
    let mut tx = service.begin().await?;
    let outcome = changes::remove(&mut tx, post_id, member).await?;
    if outcome.changed {
        let published = service.facts.publish_post_reaction_removed(&mut tx, post_id, outcome.author_id, member, now);
        published.await.map_err(Error::from)?;
    }
    commit(tx).await?;
    Ok(Response::new(pb::RemoveReactionResponse { like_count: outcome.like_count }))
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
