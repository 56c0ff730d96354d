//! Updates posts. An updated post is marked as edited; the same content changes nothing.

use chrono::{DateTime, Utc};
use primitives::{error::Violation, input::Text};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{MAX_ARTICLE, Title, excerpt::excerpt, get_visible};
use crate::{error::Error, facts::FactPublisher};

/// A change of a post.
pub struct PostUpdate {
    pub post_id: Uuid,
    /// As long as an article may be: only the row knows whether it is one.
    pub content: Text<MAX_ARTICLE>,
    /// The title of an article; `None` keeps it.
    pub title: Option<Title>,
    /// The description of the picture; `None` keeps it.
    pub alt: Option<String>,
}

/// Updates a post of the member. Publishes the edit, if there is one.
///
/// # Errors
/// [`Error::Invalid`] for a title, a description or a length that this post cannot have.
pub async fn update(
    db: &mut PgConnection,
    facts: &FactPublisher,
    member_id: Uuid,
    change: &PostUpdate,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let updated = sqlx::query!(
        "update feed.posts
        set
            content = $3,
            title = coalesce($5, title),
            excerpt = case when title is not null then $6::text end,
            picture_alt = coalesce($7, picture_alt),
            edited_at = $4
        where id = $2
            and author_id = $1
            and case when $5::text is null then true else title is not null end
            and case when $7::text is null then true else picture_alt is not null end
            and (content, title, picture_alt) is distinct from ($3, coalesce($5, title), coalesce($7, picture_alt))",
        member_id,
        change.post_id,
        &*change.content,
        now,
        change.title.as_deref(),
        excerpt(&change.content),
        change.alt.as_deref()
    )
    .execute(&mut *db)
    .await?;
    if updated.rows_affected() == 1 {
        return Ok(facts.publish_post_edited(db, change.post_id, member_id, now).await?);
    }
    let post = get_visible(db, member_id, change.post_id).await?;
    if post.author_id != member_id {
        Err(Error::NotTheAuthor)
    } else if change.title.is_some() && !post.is_article {
        Err(Violation::new("title", "Only an article has a title.").into())
    } else if change.alt.is_some() && !post.has_picture {
        Err(Violation::new("pictureAlt", "This post has no picture.").into())
    } else {
        Ok(())
    }
}
