//! A new post, and the picture it may take.

use portia_proto::feed as proto;
use primitives::{
    error::Violation,
    input::{Form, InvalidRequest, Line, Link, Text},
};
use tonic::{Status, Streaming};

use super::{BLANK, Keyed, key, optional};
use crate::{
    error::Error,
    posts::{Attached, NewPost, Words},
};

/// What is said of a picture, in characters.
pub(super) const ALT: usize = 1_000;
/// What an article without a title is told.
pub(super) const UNTITLED: &str = "Give the article a title.";
/// The largest file taken for a picture.
const LARGEST: usize = 8 << 20;

impl TryFrom<proto::CreatePostRequest> for Keyed<NewPost> {
    type Error = InvalidRequest;

    fn try_from(request: proto::CreatePostRequest) -> Result<Self, InvalidRequest> {
        let mut form = Form::default();
        let words = words(&mut form, &request);
        let attached = attached(&mut form, &request);
        let community_id = form.take(optional("communityId", request.community_id.as_deref()));
        let repost_of = form.take(optional("repostOf", request.repost_of.as_deref()));
        let key = form.take(key(request.idempotency_key.as_deref()));
        let ((((words, attached), community_id), repost_of), key) =
            form.finish(words.zip(attached).zip(community_id).zip(repost_of).zip(key))?;
        Ok(Self { what: NewPost { words, attached, community_id, repost_of }, key })
    }
}

/// What is said, which only a repost may do without; with a title it is an article.
fn words(form: &mut Form, request: &proto::CreatePostRequest) -> Option<Words> {
    let content = &request.content;
    match &request.title {
        Some(title) => {
            let title = form.take(Line::parse("title", title, 1, UNTITLED));
            let text = form.take(Text::parse_or("content", content, BLANK));
            let (title, text) = title.zip(text)?;
            Some(Words::Article { title, text })
        }
        None if request.repost_of.is_some() && content.trim().is_empty() => Some(Words::Silent),
        None => form.take(Text::parse_or("content", content, BLANK)).map(Words::Plain),
    }
}

/// A picture or a video, which articles and reposts have not all of.
fn attached(form: &mut Form, request: &proto::CreatePostRequest) -> Option<Option<Attached>> {
    let (is_article, passes_on) = (request.title.is_some(), request.repost_of.is_some());
    let (picture, video) = (request.picture_id.as_deref(), request.video_url.as_deref());
    for (field, refused, sentence) in [
        ("title", is_article && passes_on, "A repost has no title."),
        ("pictureId", picture.is_some() && passes_on, "A repost has no picture of its own."),
        ("pictureId", picture.is_some() && is_article, "An article has no picture."),
        ("pictureAlt", request.picture_alt.is_some() && picture.is_none(), "This post has no picture."),
        ("videoUrl", video.is_some() && passes_on, "A repost has no video of its own."),
        ("videoUrl", video.is_some() && picture.is_some(), "A post has a picture or a video."),
    ] {
        if refused {
            form.refuse(Violation::new(field, sentence));
        }
    }
    let id = form.take(optional("pictureId", picture));
    let alt = form.take(Text::<ALT>::parse_optional("pictureAlt", request.picture_alt.as_deref()));
    let link = form.take(video.map(|raw| Link::parse("videoUrl", raw)).transpose());
    let ((id, alt), link) = id.zip(alt).zip(link)?;
    let alt = alt.map(Text::into_string).unwrap_or_default();
    Some(id.map(|id| Attached::Picture { id, alt }).or(link.map(|link| Attached::Video(link.into_string()))))
}

/// The file that arrives piece by piece, and its key, which comes with the first of them.
///
/// # Errors
/// What broke the stream, and violations of `picture` and `idempotencyKey`.
pub async fn received(mut pieces: Streaming<proto::UploadPictureRequest>) -> Result<Keyed<Vec<u8>>, Status> {
    let (mut file, mut named) = (Vec::new(), None);
    while let Some(piece) = pieces.message().await? {
        if file.len() + piece.chunk.len() > LARGEST {
            let sentence = "This image is too large. Please try one of at most 8 MB.";
            return Err(Error::from(Violation::new("picture", sentence)).into());
        }
        named = named.or(piece.idempotency_key);
        file.extend_from_slice(&piece.chunk);
    }
    let key = key(named.as_deref()).map_err(Error::from)?;
    Ok(Keyed { what: file, key })
}
