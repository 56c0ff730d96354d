//! Create, update, delete, get and list comments and replies.

use idempotency::Claim;
use primitives::input::Page;
use rpc::identity::Actor;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{FeedService, RpcResult, commit, mentions, pb};
use crate::{
    comments::{
        self, Comment, NewComment, create, delete,
        list::{self, CommentList},
        replies, update,
    },
    community_removals::Deleter,
    convert::{CommentChildren, ContentDeletion, IdempotentRequest, PageRequest, PostChildren, parse_comment_id},
    cursors::{CommentsCursor, RepliesCursor},
    error::Error,
};

pub(super) async fn create(
    service: &FeedService,
    request: Request<pb::CreateCommentRequest>,
) -> RpcResult<pb::CreateCommentResponse> {
    let member = Actor::member(&request)?;
    let new = request.into_inner().try_into().map_err(Error::from)?;
    let comment = create_comment(service, member, new).await?;
    let comment = mentions::of_new_comment(service, member, comment).await?;
    Ok(Response::new(pb::CreateCommentResponse { comment: Some(comment) }))
}

async fn create_comment(
    service: &FeedService,
    member: Uuid,
    IdempotentRequest { body: new, key }: IdempotentRequest<NewComment>,
) -> Result<Comment, Error> {
    let mut tx = service.begin().await?;
    let work = &mut service.work(&mut tx);
    // The id of a post contains the bucket of its author, which its comments share.
    let id = work.ids.owned_by(new.post_id);
    let claim = Claim { member, route: "CreateComment", key: key.as_ref(), resource: id };
    if let Some(earlier) = service.keys.claim(work.db, &claim, work.now).await? {
        return comments::get(work.db, Some(member), earlier).await;
    }
    let comment = create::create(work, service.rate_limit_scale, id, member, new).await?;
    commit(tx).await?;
    Ok(comment)
}

pub(super) async fn update(
    service: &FeedService,
    request: Request<pb::UpdateCommentRequest>,
) -> RpcResult<pb::UpdateCommentResponse> {
    let member = Actor::member(&request)?;
    let change = request.into_inner().try_into().map_err(Error::from)?;
    let mut tx = service.begin().await?;
    let comment = update::update(&mut service.work(&mut tx), member, &change).await?;
    let comment = mentions::of_comment(&mut tx, Some(member), comment).await?;
    commit(tx).await?;
    Ok(Response::new(pb::UpdateCommentResponse { comment: Some(comment) }))
}

pub(super) async fn delete(
    service: &FeedService,
    request: Request<pb::DeleteCommentRequest>,
) -> RpcResult<pb::DeleteCommentResponse> {
    let member = Actor::member(&request)?;
    let ContentDeletion { id, reason } = request.into_inner().try_into().map_err(Error::from)?;
    let deleter = Deleter { member_id: member, reason };
    let mut tx = service.begin().await?;
    let deleted = delete::delete(&mut service.work(&mut tx), &deleter, id).await?;
    commit(tx).await?;
    let (post_id, comment_count) = (deleted.post_id.to_string(), deleted.comment_count);
    Ok(Response::new(pb::DeleteCommentResponse { post_id, comment_count }))
}

pub(super) async fn get(
    service: &FeedService,
    request: Request<pb::GetCommentRequest>,
) -> RpcResult<pb::GetCommentResponse> {
    let viewer = Actor::viewer(&request)?;
    let id = parse_comment_id(&request.get_ref().comment_id).map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let comment = comments::get(db, viewer, id).await?;
    let comment = mentions::of_comment(db, viewer, comment).await?;
    Ok(Response::new(pb::GetCommentResponse { comment: Some(comment) }))
}

pub(super) async fn list_replies(
    service: &FeedService,
    request: Request<pb::ListRepliesRequest>,
) -> RpcResult<pb::ListRepliesResponse> {
    let viewer = Actor::viewer(&request)?;
    let PageRequest { query, size }: PageRequest<CommentChildren<RepliesCursor>> =
        request.into_inner().try_into().map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let page = replies::list(db, viewer, query.comment_id, size, query.after).await?;
    let (mut replies, next_page_token) = page.into_wire();
    mentions::add_to_comments(db, viewer, &mut replies).await?;
    Ok(Response::new(pb::ListRepliesResponse { replies, next_page_token }))
}

pub(super) async fn list(
    service: &FeedService,
    request: Request<pb::ListCommentsRequest>,
) -> RpcResult<pb::ListCommentsResponse> {
    let viewer = Actor::viewer(&request)?;
    let mut request = request.into_inner();
    let known = request.known_version.take();
    let PageRequest { query, size }: PageRequest<PostChildren<CommentsCursor>> =
        request.try_into().map_err(Error::from)?;
    let db = &mut *service.connection().await?;
    let place = (query.post_id, query.after);
    let list = list::list(db, &service.comment_pages, viewer, place, size, known.as_deref()).await?;
    let mut response = match list {
        CommentList::Complete(page) => {
            let (mut comments, next_page_token) = page.into_wire();
            mentions::add_to_comments(db, viewer, &mut comments).await?;
            return Ok(Response::new(pb::ListCommentsResponse { comments, next_page_token, ..Default::default() }));
        }
        CommentList::Shared { version, page, kinds } => {
            let (comments, next_page_token) = page.map(Page::into_wire).unwrap_or_default();
            let reacted = super::timeline::reacted(viewer, kinds).collect();
            pb::ListCommentsResponse { comments, next_page_token, version, reacted }
        }
    };
    mentions::add_to_comments(db, None, &mut response.comments).await?;
    Ok(Response::new(response))
}
