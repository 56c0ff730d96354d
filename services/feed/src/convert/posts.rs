//! Posts to create and update.

use idempotency::RequestKey;
use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Text},
};

use super::{
    IdempotentRequest,
    media::{MAX_ALT, alts_of, attachment},
    parse_optional_id, parse_post_id, parse_text,
};
use crate::{
    mentions,
    posts::{
        Body, MAX_ARTICLE, MAX_POST, NewPost,
        update::{Alts, PostUpdate},
    },
};

/// The violation of an article without a title.
const UNTITLED: &str = "Give the article a title.";

impl TryFrom<pb::CreatePostRequest> for IdempotentRequest<NewPost> {
    type Error = InvalidRequest;

    fn try_from(mut request: pb::CreatePostRequest) -> Result<Self, InvalidRequest> {
        let raw_key = request.idempotency_key.take();
        let mut form = Form::default();
        let body = body(&mut form, &request);
        let attachment = attachment(&mut form, &request);
        let community_id = form.take(parse_optional_id("communityId", request.community_id.as_deref()));
        let repost_of = form.take(parse_optional_id("repostOf", request.repost_of.as_deref()));
        let key = form.take(RequestKey::parse(raw_key.as_deref(), &request));
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
        let alts = alts(&mut form, request.picture_alt.as_deref(), &request.picture_alts);
        let (((post_id, content), title), alts) = form.finish(post_id.zip(content).zip(title).zip(alts))?;
        Ok(Self { post_id, content, fits_a_post, title, alts })
    }
}

/// Parses changed descriptions, of the first picture or of all.
fn alts(form: &mut Form, first: Option<&str>, all: &[String]) -> Option<Option<Alts>> {
    if first.is_some() && !all.is_empty() {
        form.refuse(Violation::new("pictureAlts", "Send one description or a list of them."));
        return None;
    }
    match (first, all) {
        (Some(alt), _) => {
            let alt = form.take(Text::<MAX_ALT>::parse_optional("pictureAlt", Some(alt)))?;
            Some(Some(Alts::First(alt.map(Text::into_string).unwrap_or_default())))
        }
        (None, []) => Some(None),
        (None, all) => alts_of(form, all).map(|alts| Some(Alts::All(alts))),
    }
}

/// Parses the text. Only a repost may have none; a post with a title is an article.
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
