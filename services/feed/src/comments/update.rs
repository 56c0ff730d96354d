//! Updates comments.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Comment, CommentText, get};
use crate::{error::Error, visibility::visible_post_query};

/// A change of a comment.
pub struct CommentUpdate {
    pub comment_id: Uuid,
    pub content: CommentText,
}

struct UpdatedComment {
    id: Uuid,
}

/// Replaces the text of a comment of the member, on a post that the member may see. The same text changes nothing.
pub async fn update(
    db: &mut PgConnection,
    member_id: Uuid,
    change: &CommentUpdate,
    now: DateTime<Utc>,
) -> Result<Comment, Error> {
    let updated = visible_post_query!(
        UpdatedComment,
        r#"
        update feed.comments c
        set content = $3, edited_at = $4
        from feed.posts p
        where c.id = $2
            and c.author_id = $1
            and c.content <> $3
            and p.id = c.post_id
            and
        "#,
        "returning c.id",
        member_id,
        change.comment_id,
        &*change.content,
        now
    );
    let id = updated.fetch_optional(&mut *db).await?.map_or(change.comment_id, |updated| updated.id);
    let comment = get(db, Some(member_id), id).await?;
    if comment.author_id != member_id {
        return Err(Error::NotTheAuthor);
    }
    Ok(comment)
}
