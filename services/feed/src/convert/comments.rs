//! Comments to create and update, their replies and reactions.

use idempotency::RequestKey;
use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Cursor, Form, InvalidRequest, PageSize},
};
use uuid::Uuid;

use super::{IdempotentRequest, PageRequest, parse_optional_id, parse_post_id, parse_text, reaction_kind};
use crate::{
    comments::{MAX_COMMENT, NewComment, update::CommentUpdate},
    cursors::{CommentReactionsCursor, RepliesCursor},
    reactions::ReactionKind,
};

/// The replies or reactions to a comment.
pub struct CommentChildren<C> {
    pub comment_id: Uuid,
    pub after: C,
}

/// A reaction to a comment that a member sets.
pub struct NewCommentReaction {
    pub comment_id: Uuid,
    pub kind: ReactionKind,
}

impl TryFrom<pb::SetCommentReactionRequest> for NewCommentReaction {
    type Error = InvalidRequest;

    fn try_from(request: pb::SetCommentReactionRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let comment_id = form.take(parse_comment_id(&request.comment_id));
        let kind = form.take(reaction_kind(request.kind()));
        let (comment_id, kind) = form.finish(comment_id.zip(kind))?;
        Ok(Self { comment_id, kind })
    }
}

impl TryFrom<pb::ListRepliesRequest> for PageRequest<CommentChildren<RepliesCursor>> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListRepliesRequest) -> Result<Self, InvalidRequest> {
        comment_children(&request.comment_id, request.page_size, &request.page_token, RepliesCursor::START)
    }
}

impl TryFrom<pb::ListCommentReactionsRequest> for PageRequest<CommentChildren<CommentReactionsCursor>> {
    type Error = InvalidRequest;

    fn try_from(request: pb::ListCommentReactionsRequest) -> Result<Self, InvalidRequest> {
        comment_children(&request.comment_id, request.page_size, &request.page_token, CommentReactionsCursor::START)
    }
}

fn comment_children<C: Cursor>(
    comment: &str,
    size: i32,
    token: &str,
    start: C,
) -> Result<PageRequest<CommentChildren<C>>, InvalidRequest> {
    let mut form = Form::default();
    let comment_id = form.take(parse_comment_id(comment));
    let size = form.take(PageSize::parse(size));
    let after = form.take(C::from_token(token));
    let ((comment_id, size), after) = form.finish(comment_id.zip(size).zip(after))?;
    Ok(PageRequest { query: CommentChildren { comment_id, after: after.unwrap_or(start) }, size })
}

impl TryFrom<pb::CreateCommentRequest> for IdempotentRequest<NewComment> {
    type Error = InvalidRequest;

    fn try_from(mut request: pb::CreateCommentRequest) -> Result<Self, InvalidRequest> {
        let raw_key = request.idempotency_key.take();
        let mut form = Form::default();
        let post_id = form.take(parse_post_id(&request.post_id));
        let content = form.take(parse_text::<MAX_COMMENT, _>(&request.content));
        let key = form.take(RequestKey::parse(raw_key.as_deref(), &request));
        let reply_to = form.take(parse_optional_id("replyTo", request.reply_to.as_deref()));
        let ((post_id, content), (key, reply_to)) = form.finish(post_id.zip(content).zip(key.zip(reply_to)))?;
        Ok(Self { body: NewComment { post_id, content, reply_to }, key })
    }
}

impl TryFrom<pb::UpdateCommentRequest> for CommentUpdate {
    type Error = InvalidRequest;

    fn try_from(request: pb::UpdateCommentRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let comment_id = form.take(parse_comment_id(&request.comment_id));
        let content = form.take(parse_text::<MAX_COMMENT, _>(&request.content));
        let (comment_id, content) = form.finish(comment_id.zip(content))?;
        Ok(Self { comment_id, content })
    }
}

pub fn parse_comment_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("commentId", raw)
}
