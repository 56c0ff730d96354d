//! Deletes posts.
//!
//! A post may have 100,000 reactions, so its rows are not deleted in the request. The request anonymises the post: it gets
//! the nil author and the nil community, so that every visibility check refuses it, and loses its content. The erasure task
//! deletes it with its reactions and comments, in batches.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{get_visible, reposts};
use crate::{
    deactivation::erase,
    error::Error,
    facts::{FactPublisher, RepostRef},
    link_previews, pdf_files, pictures, search, topics,
};

/// Deletes a post of the member, removes it from the search index and from the share count of its original, and publishes
/// that.
pub async fn delete(
    db: &mut PgConnection,
    facts: &FactPublisher,
    member_id: Uuid,
    post_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let deleted = anonymise(db, member_id, post_id).await?;
    search::POSTS.remove(&mut *db, &[post_id]).await?;
    if let Some(original) = deleted.repost_of
        && let Some(author) = reposts::decrement_share_count(&mut *db, original).await?
    {
        let repost = RepostRef { post: original, author, repost: post_id, member: member_id };
        facts.publish_post_repost_removed(&mut *db, &repost, now).await?;
    }
    facts.publish_post_deleted(db, post_id, member_id, deleted.community_id, now).await?;
    Ok(())
}

struct DeletedPost {
    community_id: Option<Uuid>,
    repost_of: Option<Uuid>,
    link_preview_id: Option<Uuid>,
}

async fn anonymise(db: &mut PgConnection, member_id: Uuid, post_id: Uuid) -> Result<DeletedPost, Error> {
    let deleted = sqlx::query_as!(
        DeletedPost,
        r#"
        with own as (
            select id, community_id, repost_of, link_preview_id
            from feed.posts
            where id = $2
                and author_id = $1
            for no key update
        )
        update feed.posts p
        set
            author_id = '00000000-0000-0000-0000-000000000000',
            community_id = '00000000-0000-0000-0000-000000000000',
            content = '-',
            title = null,
            excerpt = null,
            picture_hash = null,
            picture_alt = null,
            picture_width = null,
            picture_height = null,
            media = null,
            video_url = null,
            repost_of = null,
            link_preview_id = null
        from own
        where p.id = own.id
        returning
            own.community_id as "community_id?",
            own.repost_of as "repost_of?",
            own.link_preview_id as "link_preview_id?"
        "#,
        member_id,
        post_id
    )
    .fetch_optional(&mut *db)
    .await?;
    match deleted {
        Some(deleted) => {
            pictures::release(&mut *db, post_id).await?;
            if let Some(preview) = deleted.link_preview_id {
                link_previews::release(&mut *db, preview).await?;
            }
            topics::delete(db, post_id).await?;
            pdf_files::delete_of_post(db, post_id).await?;
            Ok(deleted)
        }
        None => {
            get_visible(db, member_id, post_id).await?;
            Err(Error::NotTheAuthor)
        }
    }
}

/// Deletes the rows of anonymised posts. What remains after an error is deleted by the next call.
pub async fn purge(db: &PgPool) -> Result<(), sqlx::Error> {
    while let Some(post_id) = erase::next_post(db, Uuid::nil()).await? {
        erase::erase_post(db, post_id).await?;
    }
    Ok(())
}
