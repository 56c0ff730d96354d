//! Posts to create and update.

use portia_proto::feed as pb;
use primitives::input::{Form, InvalidRequest, Line, Text};

use super::{
    IdempotentRequest,
    media::{MAX_ALT, attachment},
    parse_key, parse_optional_id, parse_post_id, parse_text,
};
use crate::{
    mentions,
    posts::{Body, MAX_ARTICLE, MAX_POST, NewPost, update::PostUpdate},
};

/// The violation of an article without a title.
const UNTITLED: &str = "Give the article a title.";

impl TryFrom<pb::CreatePostRequest> for IdempotentRequest<NewPost> {
    type Error = InvalidRequest;

    fn try_from(request: pb::CreatePostRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let body = body(&mut form, &request);
        let attachment = attachment(&mut form, &request);
        let community_id = form.take(parse_optional_id("communityId", request.community_id.as_deref()));
        let repost_of = form.take(parse_optional_id("repostOf", request.repost_of.as_deref()));
        let key = form.take(parse_key(request.idempotency_key.as_deref()));
        let ((((body, attachment), community_id), repost_of), key) =
            form.finish(body.zip(attachment).zip(community_id).zip(repost_of).zip(key))?;
        let without_link_preview = request.without_link_preview;
        Ok(Self { body: NewPost { body, attachment, community_id, repost_of, without_link_preview }, key })
    }
}

impl TryFrom<pb::UpdatePostRequest> for PostUpdate {
    type Error = InvalidRequest;

    fn try_from(request: pb::UpdatePostRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let post_id = form.take(parse_post_id(&request.post_id));
        // The row knows whether it is an article, which may be longer.
        let content = form.take(parse_text::<MAX_ARTICLE, _>(&request.content));
        let fits_a_post = mentions::replace(&request.content, "@").chars().count() <= MAX_POST;
        let title = request.title.map(|title| Line::parse("title", &title, 1, UNTITLED)).transpose();
        let title = form.take(title);
        let alt = request.picture_alt.map(|alt| Text::<MAX_ALT>::parse_optional("pictureAlt", Some(&alt))).transpose();
        let alt = form.take(alt);
        let (((post_id, content), title), alt) = form.finish(post_id.zip(content).zip(title).zip(alt))?;
        let alt = alt.map(|alt| alt.map(Text::into_string).unwrap_or_default());
        Ok(Self { post_id, content, fits_a_post, title, alt })
    }
}

/// The text. Only a repost may have none; a post with a title is an article.
fn body(form: &mut Form, request: &pb::CreatePostRequest) -> Option<Body> {
    let content = &request.content;
    match &request.title {
        Some(title) => {
            let title = form.take(Line::parse("title", title, 1, UNTITLED));
            let text = form.take(parse_text::<MAX_ARTICLE, _>(content));
            let (title, text) = title.zip(text)?;
            Some(Body::Article { title, text })
        }
        None if request.repost_of.is_some() && content.trim().is_empty() => Some(Body::Empty),
        None => form.take(parse_text::<MAX_POST, _>(content)).map(Body::Plain),
    }
}
