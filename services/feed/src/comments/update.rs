//! Updates comments.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Comment, CommentText, get};
use crate::{error::Error, facts::FactPublisher, visibility::visible_post_query};

/// A change of a comment.
pub struct CommentUpdate {
    pub comment_id: Uuid,
    pub content: CommentText,
}

/// A comment whose text was changed.
pub struct EditedComment {
    pub id: Uuid,
    pub author_id: Uuid,
    pub post_id: Uuid,
    pub post_author_id: Uuid,
}

/// Replaces the text of a comment of the member, on a post that the member may see, and publishes the edit. The same text
/// changes nothing.
pub async fn update(
    db: &mut PgConnection,
    facts: &FactPublisher,
    member_id: Uuid,
    change: &CommentUpdate,
    now: DateTime<Utc>,
) -> Result<Comment, Error> {
    let updated = visible_post_query!(
        EditedComment,
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
        "returning c.id, c.author_id, c.post_id, p.author_id as post_author_id",
        member_id,
        change.comment_id,
        &*change.content,
        now
    );
    let id = match updated.fetch_optional(&mut *db).await? {
        Some(edited) => {
            facts.publish_post_comment_edited(&mut *db, &edited, now).await?;
            edited.id
        }
        None => change.comment_id,
    };
    let comment = get(db, Some(member_id), id).await?;
    if comment.author_id != member_id {
        return Err(Error::NotTheAuthor);
    }
    Ok(comment)
}
