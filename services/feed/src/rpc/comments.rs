//! Create, update, delete and list comments.

use idempotency::{Claim, hash};
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, commit, pb};
use crate::{
    comments::{self, Comment, NewComment, create, delete, list, update},
    convert::{IdempotentRequest, PageRequest, PostChildren, parse_comment_id},
    error::Error,
    timeline::cursors::CommentsCursor,
};

pub(super) async fn create(
    service: &FeedService,
    request: Request<pb::CreateCommentRequest>,
) -> RpcResult<pb::CreateCommentResponse> {
    let member = Actor::member(&request)?;
    let new = request.into_inner().try_into().map_err(Error::from)?;
    let comment = create_comment(service, member, new).await?;
    Ok(Response::new(pb::CreateCommentResponse { comment: Some(comment.into()) }))
}

async fn create_comment(
    service: &FeedService,
    member: Uuid,
    IdempotentRequest { body: new, key }: IdempotentRequest<NewComment>,
) -> Result<Comment, Error> {
    // The id of a post contains the bucket of its author, which its comments share.
    let (id, now) = (service.ids.owned_by(new.post_id), service.clock.now());
    let claim = Claim {
        member,
        route: "CreateComment",
        key: key.as_ref(),
        body_hash: hash(&[new.post_id.as_bytes(), new.content.as_bytes()]),
        resource: id,
    };
    let mut tx = service.begin().await?;
    if let Some(earlier) = service.keys.claim(&mut tx, &claim, now).await? {
        return comments::get(&mut tx, earlier).await?.ok_or(Error::PostNotFound);
    }
    let post_author = create::create(&mut tx, id, member, &new, now).await?;
    service.facts.publish_post_commented(&mut tx, new.post_id, post_author, id, member, now).await?;
    commit(tx).await?;
    Ok(Comment {
        id,
        post_id: new.post_id,
        author_id: member,
        content: new.content.into_string(),
        created_at: now,
        edited_at: None,
    })
}

pub(super) async fn update(
    service: &FeedService,
    request: Request<pb::UpdateCommentRequest>,
) -> RpcResult<pb::UpdateCommentResponse> {
    let member = Actor::member(&request)?;
    let change = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let comment = update::update(&mut tx, member, &change, service.clock.now()).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateCommentResponse { comment: Some(comment.into()) }))
}

pub(super) async fn delete(
    service: &FeedService,
    request: Request<pb::DeleteCommentRequest>,
) -> RpcResult<pb::DeleteCommentResponse> {
    let member = Actor::member(&request)?;
    let id = parse_comment_id(&request.get_ref().comment_id).map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let deleted = delete::delete(&mut tx, &service.facts, member, id, service.clock.now()).await?;
    commit(tx).await?;
    let (post_id, comment_count) = (deleted.post_id.to_string(), deleted.comment_count);
    Ok(Response::new(pb::DeleteCommentResponse { post_id, comment_count }))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListCommentsRequest>,
) -> RpcResult<pb::ListCommentsResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<PostChildren<CommentsCursor>> =
        request.into_inner().try_into().map_err(Error::from)?;
    let page = list::list(&mut *service.connection().await?, viewer, query.post_id, size, query.after).await?;
    let (comments, next_page_token) = page.into_wire();
    Ok(Response::new(pb::ListCommentsResponse { comments, next_page_token }))
}
