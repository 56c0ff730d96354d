//! Creates posts.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, types::Json};
use uuid::Uuid;

use super::{Attachment, Body, Community, NewPost, excerpt::excerpt, freshness, reposts};
use crate::{
    error::Error,
    media::Media,
    pdf_files,
    pictures::{self, UploadedPicture},
};

/// The result of [`create`].
pub enum CreateOutcome {
    /// The post was inserted, into this community.
    Created(Option<Community>),
    /// The member already reposted the same post without text.
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

/// Inserts a post and attaches its pictures or file. The author of a post in a community must belong to it. `preview`
/// is the preview of its link.
///
/// # Errors
/// [`Error::NotAWriter`] also for an unknown community; [`Error::Invalid`] when a picture or the file cannot be attached.
pub async fn create(
    db: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    post: &NewPost,
    preview: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<CreateOutcome, Error> {
    let title = post.body.title();
    let excerpt = title.map(|_| excerpt(post.body.content()));
    let mut shown = Shown::default();
    match &post.attachment {
        Some(Attachment::Pictures { field, pictures: new }) => {
            let ids: Vec<_> = new.iter().map(|picture| picture.id).collect();
            let uploaded = pictures::attach(&mut *db, field, &ids, author_id, id, now).await?;
            shown.media = Media::of_pictures(&uploaded, new);
            shown.alt = new.first().map(|picture| picture.alt.as_str());
            shown.picture = uploaded.into_iter().next();
        }
        Some(Attachment::Pdf(file)) => {
            let file = pdf_files::attach(&mut *db, *file, author_id, id, now).await?;
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
        now,
        freshness(now),
        post.community_id,
        post.repost_of,
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
    .fetch_optional(&mut *db)
    .await?;
    match (inserted, post.repost_of) {
        (Some(name), _) => {
            let name = name.unwrap_or_default();
            Ok(CreateOutcome::Created(post.community_id.map(|id| Community { id, name })))
        }
        // Only reposts without text are unique.
        (None, Some(original)) if matches!(post.body, Body::Empty) => {
            let existing = reposts::find_without_text(db, author_id, original, post.community_id).await?;
            existing.map(CreateOutcome::Existing).ok_or(Error::NotAWriter)
        }
        (None, _) => Err(Error::NotAWriter),
    }
}
