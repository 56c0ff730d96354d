//! Deletes comments.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::get_visible;
use crate::{error::Error, facts::FactPublisher, posts};

/// A deleted comment.
pub struct DeletedComment {
    pub post_id: Uuid,
    pub post_author_id: Uuid,
    pub author_id: Uuid,
    /// The comments left on the post, if the member who deleted this one may see the post.
    pub comment_count: Option<i64>,
}

/// Deletes a comment of the member, or one on a post of the member, and publishes that.
pub async fn delete(
    db: &mut PgConnection,
    facts: &FactPublisher,
    member_id: Uuid,
    comment_id: Uuid,
    now: DateTime<Utc>,
) -> Result<DeletedComment, Error> {
    let mut deleted = delete_row(db, member_id, comment_id).await?;
    facts.publish_post_comment_removed(db, comment_id, &deleted, now).await?;
    match posts::get_visible(db, member_id, deleted.post_id).await {
        Ok(_) => {}
        Err(Error::PostNotFound) => deleted.comment_count = None,
        Err(error) => return Err(error),
    }
    Ok(deleted)
}

/// Deletes the row, even when the author of the comment may no longer see the post. Locks the post first, like the
/// creation of a comment.
async fn delete_row(db: &mut PgConnection, member_id: Uuid, comment_id: Uuid) -> Result<DeletedComment, Error> {
    let deleted = sqlx::query_as!(
        DeletedComment,
        r#"
        with locked as (
            select id, author_id
            from feed.posts
            where id = (select post_id from feed.comments where id = $2)
                and author_id <> '00000000-0000-0000-0000-000000000000'
            for no key update
        ),
        deleted as (
            delete from feed.comments c
            using locked
            where c.id = $2
                and c.post_id = locked.id
                and (c.author_id = $1 or locked.author_id = $1)
            returning c.post_id, c.author_id
        )
        update feed.posts p
        set comment_count = p.comment_count - 1
        from deleted
        where p.id = deleted.post_id
        returning p.id as post_id, p.author_id as post_author_id, deleted.author_id, p.comment_count as "comment_count?"
        "#,
        member_id,
        comment_id
    )
    .fetch_optional(&mut *db)
    .await?;
    match deleted {
        Some(deleted) => Ok(deleted),
        None => {
            get_visible(db, member_id, comment_id).await?;
            Err(Error::NotTheAuthor)
        }
    }
}
