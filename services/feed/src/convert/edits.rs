//! What is to be changed or taken away.

use portia_proto::feed as proto;
use primitives::{
    error::Violation,
    ids,
    input::{Form, InvalidRequest, Line, Text},
};
use uuid::Uuid;

use super::{
    BLANK, post_id,
    posts::{ALT, UNTITLED},
};
use crate::edits::{CommentEdit, PostEdit};

impl TryFrom<proto::UpdatePostRequest> for PostEdit {
    type Error = InvalidRequest;

    fn try_from(request: proto::UpdatePostRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(post_id(&request.post_id));
        // Whether it is an article, which may be longer, its row knows.
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let title = request.title.map(|title| Line::parse("title", &title, 1, UNTITLED)).transpose();
        let title = form.take(title);
        let alt = request.picture_alt.map(|alt| Text::<ALT>::parse_optional("pictureAlt", Some(&alt))).transpose();
        let alt = form.take(alt);
        let (((post_id, content), title), alt) = form.finish(post_id.zip(content).zip(title).zip(alt))?;
        let alt = alt.map(|alt| alt.map(Text::into_string).unwrap_or_default());
        Ok(Self { post_id, content, title, alt })
    }
}

impl TryFrom<proto::UpdateCommentRequest> for CommentEdit {
    type Error = InvalidRequest;

    fn try_from(request: proto::UpdateCommentRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let comment_id = form.take(comment_id(&request.comment_id));
        let content = form.take(Text::parse_or("content", &request.content, BLANK));
        let (comment_id, content) = form.finish(comment_id.zip(content))?;
        Ok(Self { comment_id, content })
    }
}

/// The id of a comment.
///
/// # Errors
/// A violation of `commentId`.
pub fn comment_id(raw: &str) -> Result<Uuid, Violation> {
    ids::parse("commentId", raw)
}
