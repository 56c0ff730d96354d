//! Comments to create and update.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Text},
};
use uuid::Uuid;

use super::{BLANK, IdempotentRequest, parse_key, parse_post_id};
use crate::comments::{NewComment, update::CommentUpdate};

impl TryFrom<pb::CreateCommentRequest> for IdempotentRequest<NewComment> {
    type Error = InvalidRequest;

    fn try_from(request: pb::CreateCommentRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(parse_post_id(&request.post_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let key = form.take(parse_key(request.idempotency_key.as_deref()));
        let ((post_id, content), key) = form.finish(post_id.zip(content).zip(key))?;
        Ok(Self { body: NewComment { post_id, content }, key })
    }
}

impl TryFrom<pb::UpdateCommentRequest> for CommentUpdate {
    type Error = InvalidRequest;

    fn try_from(request: pb::UpdateCommentRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let comment_id = form.take(parse_comment_id(&request.comment_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let (comment_id, content) = form.finish(comment_id.zip(content))?;
        Ok(Self { comment_id, content })
    }
}

pub fn parse_comment_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("commentId", raw)
}
