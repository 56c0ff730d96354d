//! Reposts: posts that reference another post, which counts them.
//!
//! Only public posts can be reposted. The timeline still checks blocks and deactivated accounts of the original
//! (timeline/rows.rs).

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    error::Error,
    link_previews::LinkPreview,
    media::PostPdf,
    pictures::PostPicture,
    visibility::{VisiblePost, get_visible, visible_post_query},
};

/// The post that a repost references.
#[derive(Clone)]
pub enum Repost {
    Of(Box<Original>),
    /// The original was deleted, or the viewer may not see it.
    Unavailable,
}

/// The original of a repost.
#[derive(Clone)]
pub struct Original {
    pub id: Uuid,
    pub author_id: Uuid,
    /// The text; for an article, its excerpt.
    pub content: String,
    /// The title of an article.
    pub title: Option<String>,
    pub pictures: Vec<PostPicture>,
    pub pdf: Option<PostPdf>,
    pub link_preview: Option<LinkPreview>,
    /// The address of a page with a video.
    pub video_url: Option<String>,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
}

/// Returns the post that a repost of `post_id` references. For a repost without text, this is its original.
pub async fn resolve_original(db: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<Uuid, Error> {
    let shared = get_visible(&mut *db, member_id, post_id).await?;
    let post = match shared.original_id {
        Some(original) => get_visible(db, member_id, original).await?,
        None => shared,
    };
    match post {
        VisiblePost { id, is_public: true, .. } => Ok(id),
        VisiblePost { is_public: false, .. } => Err(Error::NotPublic),
    }
}

/// Returns the member's repost without text, if there is one.
pub async fn find_without_text(
    db: &mut PgConnection,
    member_id: Uuid,
    original: Uuid,
    community_id: Option<Uuid>,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select id
        from feed.posts
        where author_id = $1
            and repost_of = $2
            and coalesce(community_id, '00000000-0000-0000-0000-000000000000')
                = coalesce($3, '00000000-0000-0000-0000-000000000000'::uuid)
            and content = ''",
        member_id,
        original,
        community_id
    )
    .fetch_optional(db)
    .await
}

struct SharedPost {
    author_id: Uuid,
}

/// Increments the share count. Returns the author.
///
/// # Errors
/// [`Error::PostNotFound`] when the post was deleted or hidden after the check in [`resolve_original`].
pub async fn increment_share_count(db: &mut PgConnection, member_id: Uuid, original: Uuid) -> Result<Uuid, Error> {
    let shared = visible_post_query!(
        SharedPost,
        r#"
        update feed.posts p
        set share_count = p.share_count + 1
        where p.id = $2
            and p.community_id is null
            and
        "#,
        "returning p.author_id",
        member_id,
        original
    );
    Ok(shared.fetch_optional(db).await?.ok_or(Error::PostNotFound)?.author_id)
}

/// Decrements the share count after a repost was deleted. Returns the author, unless the original was deleted too.
pub async fn decrement_share_count(db: &mut PgConnection, original: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "update feed.posts
        set share_count = share_count - 1
        where id = $1
            and author_id <> '00000000-0000-0000-0000-000000000000'
        returning author_id",
        original
    )
    .fetch_optional(db)
    .await
}
