//! Creates comments.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::NewComment;
use crate::{error::Error, visibility::visible_post_query};

struct CommentedPost {
    author_id: Uuid,
}

/// Inserts a comment and increments the counter of its post, in one statement. Returns the author of the post.
pub async fn create(
    db: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    comment: &NewComment,
    now: DateTime<Utc>,
) -> Result<Uuid, Error> {
    let post = visible_post_query!(
        CommentedPost,
        r#"
        with post as (
            update feed.posts p
            set comment_count = p.comment_count + 1
            where p.id = $2
                and
        "#,
        r#"
            returning p.author_id
        ),
        inserted as (
            insert into feed.comments (author_id, post_id, id, content, created_at)
            select $1, $2, $3, $4, $5
            from post
        )
        select author_id
        from post
        "#,
        author_id,
        comment.post_id,
        id,
        &*comment.content,
        now
    )
    .fetch_optional(db)
    .await?;
    Ok(post.ok_or(Error::PostNotFound)?.author_id)
}
