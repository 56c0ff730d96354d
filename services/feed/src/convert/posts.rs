//! Posts to create and update, and uploaded pictures.

use portia_proto::feed as pb;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Link, Text},
};
use tonic::{Status, Streaming};

use super::{IdempotentRequest, parse_key, parse_optional_id, parse_post_id, parse_text};
use crate::{
    error::Error,
    mentions,
    posts::{Attachment, Body, MAX_ARTICLE, MAX_POST, NewPost, update::PostUpdate},
};

/// The maximum length of the description of a picture, in characters.
const MAX_ALT: usize = 1_000;
/// The violation of an article without a title.
const UNTITLED: &str = "Give the article a title.";
/// The maximum size of an uploaded file, in bytes.
const MAX_UPLOAD: usize = 8 << 20;

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
        Ok(Self { body: NewPost { body, attachment, community_id, repost_of }, key })
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

/// A picture or a video. An article has no picture, a repost neither.
fn attachment(form: &mut Form, request: &pb::CreatePostRequest) -> Option<Option<Attachment>> {
    let (is_article, is_repost) = (request.title.is_some(), request.repost_of.is_some());
    let (picture, video) = (request.picture_id.as_deref(), request.video_url.as_deref());
    for (field, refused, sentence) in [
        ("title", is_article && is_repost, "A repost has no title."),
        ("pictureId", picture.is_some() && is_repost, "A repost has no picture of its own."),
        ("pictureId", picture.is_some() && is_article, "An article has no picture."),
        ("pictureAlt", request.picture_alt.is_some() && picture.is_none(), "This post has no picture."),
        ("videoUrl", video.is_some() && is_repost, "A repost has no video of its own."),
        ("videoUrl", video.is_some() && picture.is_some(), "A post has a picture or a video."),
    ] {
        if refused {
            form.refuse(Violation::new(field, sentence));
        }
    }
    let id = form.take(parse_optional_id("pictureId", picture));
    let alt = form.take(Text::<MAX_ALT>::parse_optional("pictureAlt", request.picture_alt.as_deref()));
    let link = form.take(video.map(|raw| Link::parse("videoUrl", raw)).transpose());
    let ((id, alt), link) = id.zip(alt).zip(link)?;
    let alt = alt.map(Text::into_string).unwrap_or_default();
    Some(id.map(|id| Attachment::Picture { id, alt }).or(link.map(|link| Attachment::Video(link.into_string()))))
}

/// Reads the chunks of a file, and the idempotency key from the first one that has it.
pub async fn parse_upload(
    mut chunks: Streaming<pb::UploadPictureRequest>,
) -> Result<IdempotentRequest<Vec<u8>>, Status> {
    let (mut file, mut raw_key) = (Vec::new(), None);
    while let Some(message) = chunks.message().await? {
        if file.len() + message.chunk.len() > MAX_UPLOAD {
            let sentence = "This image is too large. Please try one of at most 8 MB.";
            return Err(Error::from(Violation::new("picture", sentence)).into());
        }
        raw_key = raw_key.or(message.idempotency_key);
        file.extend_from_slice(&message.chunk);
    }
    let key = parse_key(raw_key.as_deref()).map_err(Error::from)?;
    Ok(IdempotentRequest { body: file, key })
}
