//! Set, remove and list reactions to comments.

use rpc::identity::Actor;
use tonic::{Request, Response};

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    comments::reactions,
    convert::{CommentChildren, NewCommentReaction, PageRequest, parse_comment_id},
    cursors::CommentReactionsCursor,
    error::Error,
    reactions::Reaction,
};

pub(super) async fn set(
    service: &FeedService,
    request: Request<pb::SetCommentReactionRequest>,
) -> RpcResult<pb::SetCommentReactionResponse> {
    let member_id = Actor::member(&request)?;
    let NewCommentReaction { comment_id, kind } = request.into_inner().try_into().map_err(Error::from)?;
    let reaction = Reaction { member_id, kind };
    let mut tx = service.begin().await?;
    let like_count = reactions::set(&mut service.work(&mut tx), comment_id, reaction).await?;
    commit(tx).await?;
    Ok(Response::new(pb::SetCommentReactionResponse { reaction: Some(reaction.into()), like_count }))
}

pub(super) async fn remove(
    service: &FeedService,
    request: Request<pb::RemoveCommentReactionRequest>,
) -> RpcResult<pb::RemoveCommentReactionResponse> {
    let member = Actor::member(&request)?;
    let comment_id = parse_comment_id(&request.get_ref().comment_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let like_count = reactions::remove(&mut service.work(&mut tx), comment_id, member).await?;
    commit(tx).await?;
    Ok(Response::new(pb::RemoveCommentReactionResponse { like_count }))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListCommentReactionsRequest>,
) -> RpcResult<pb::ListCommentReactionsResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<CommentChildren<CommentReactionsCursor>> =
        request.into_inner().try_into().map_err(Error::from)?;
    let page = reactions::list(&mut *service.connection().await?, viewer, query.comment_id, size, query.after).await?;
    let (reactions, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListCommentReactionsResponse { reactions, next_page_token }))
}
