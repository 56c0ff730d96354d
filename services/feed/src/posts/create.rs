//! Creates posts.

use outbox::UnitOfWork;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Attachment, Body, Community, NewPost, excerpt::excerpt, freshness, reposts};
use crate::{
    error::Error,
    link_previews::{self, LinkPreviews},
    media::Media,
    mentions::{MentionPlace, list_to_notify},
    pdf_files,
    pictures::{self, UploadedPicture},
    publishing::{self, RepostRef},
    search, topics,
};

/// The result of [`create`].
pub enum CreateOutcome {
    /// A new post that is only a text, in this community.
    Text(Option<Community>),
    /// A new post that has more than a text.
    Composed { has_preview: bool },
    /// The member already reposted the same post without text.
    Existing(Uuid),
}

/// The rows that a new post references.
#[derive(Clone, Copy)]
struct References {
    /// The post that it reposts.
    original: Option<Uuid>,
    /// The preview of its link.
    preview: Option<Uuid>,
}

/// The result of [`insert`].
enum Inserted {
    New(Option<Community>),
    Existing(Uuid),
}

/// The columns of the attachment of a post.
#[derive(Default)]
struct Shown<'a> {
    picture: Option<UploadedPicture>,
    alt: Option<&'a str>,
    video: Option<&'a str>,
    media: Option<Media>,
}

/// Creates a post. The author of a post in a community must belong to it.
///
/// # Errors
/// [`Error::NotAWriter`] also for an unknown community; [`Error::Invalid`] when a picture or the file cannot be attached.
pub async fn create(
    work: &mut UnitOfWork<'_>,
    links: &LinkPreviews,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
) -> Result<CreateOutcome, Error> {
    let original = match post.repost_of {
        Some(shared) => Some(reposts::resolve_original(work.db, author_id, shared).await?),
        None => None,
    };
    let preview = match post.previewed_text().and_then(|text| links.first_link(text)) {
        Some(url) => {
            let place = link_previews::Place { author_id, community_id: post.community_id };
            link_previews::attach(work, place, &url).await?
        }
        None => None,
    };
    let community = match insert(work, id, author_id, post, References { original, preview }).await? {
        Inserted::New(community) => community,
        Inserted::Existing(earlier) => return Ok(CreateOutcome::Existing(earlier)),
    };
    let place = MentionPlace { post_id: id, author_id, reply_to_author: None };
    let mentioned = list_to_notify(work, place, "", post.body.content()).await?;
    publishing::publish_post_created(work, id, author_id, post.community_id, &mentioned).await?;
    search::index(work.db, id).await?;
    topics::insert(work.db, id, post.body.title(), post.body.content()).await?;
    if let Some(original) = original {
        let author = reposts::increment_share_count(work.db, author_id, original).await?;
        let repost = RepostRef { post: original, author, repost: id, member: author_id };
        publishing::publish_post_reposted(work, &repost).await?;
    }
    Ok(match (&post.body, &post.attachment, original, preview) {
        (Body::Plain(_), None, None, None) => CreateOutcome::Text(community),
        _ => CreateOutcome::Composed { has_preview: preview.is_some() },
    })
}

/// Inserts a post and attaches its pictures or file.
async fn insert(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
    References { original, preview }: References,
) -> Result<Inserted, Error> {
    let title = post.body.title();
    let excerpt = title.map(|_| excerpt(post.body.content()));
    let mut shown = Shown::default();
    match &post.attachment {
        Some(Attachment::Pictures { field, pictures: new }) => {
            let ids: Vec<_> = new.iter().map(|picture| picture.id).collect();
            let uploaded = pictures::attach(work, field, &ids, author_id, id).await?;
            shown.media = Media::of_pictures(&uploaded, new);
            shown.alt = new.first().map(|picture| picture.alt.as_str());
            shown.picture = uploaded.into_iter().next();
        }
        Some(Attachment::Pdf(file)) => {
            let file = pdf_files::attach(work, *file, author_id, id).await?;
            shown.media = Some(Media::of_pdf(file.name, file.size));
        }
        Some(Attachment::Video(address)) => shown.video = Some(address),
        None => {}
    }
    let inserted = sqlx::query_scalar!(
        "
        insert into feed.posts (
            id, author_id, content, created_at, freshness, community_id, repost_of, school_key, title, excerpt,
            picture_hash, picture_alt, picture_width, picture_height, video_url, media,
            link_preview_id, without_link_preview
        )
        select
            $1, $2, $3, $4, $5, $6, $7, (
                select m.school_key
                from feed.members m
                where m.member_id = $2
                    and not exists (
                        select
                        from feed.privacy_settings s
                        where s.member_id = m.member_id
                            and s.profile_audience = 'connections'
                    )
            ), $8, $9, $10, $11,
            $12, $13, $14, $15, $16, $17
        where $6::uuid is null
            or exists (select from feed.memberships where member_id = $2 and community_id = $6)
        on conflict (author_id, repost_of, coalesce(community_id, '00000000-0000-0000-0000-000000000000'))
            where content = ''
            do nothing
        returning (select name from feed.communities c where c.id = community_id)
        ",
        id,
        author_id,
        post.body.content(),
        work.now,
        freshness(work.now),
        post.community_id,
        original,
        title,
        excerpt,
        shown.picture.as_ref().map(|picture| picture.hash.as_str()),
        shown.alt,
        shown.picture.as_ref().map(|picture| picture.width),
        shown.picture.as_ref().map(|picture| picture.height),
        shown.video,
        shown.media.map(Json) as _,
        preview,
        post.without_link_preview
    )
    .fetch_optional(&mut *work.db)
    .await?;
    match (inserted, original) {
        (Some(name), _) => {
            let name = name.unwrap_or_default();
            Ok(Inserted::New(post.community_id.map(|id| Community { id, name })))
        }
        // Only reposts without text are unique.
        (None, Some(original)) if matches!(post.body, Body::Empty) => {
            let existing = reposts::find_without_text(work.db, author_id, original, post.community_id).await?;
            existing.map(Inserted::Existing).ok_or(Error::NotAWriter)
        }
        (None, _) => Err(Error::NotAWriter),
    }
}
