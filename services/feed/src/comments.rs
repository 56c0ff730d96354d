//! Comments on posts.

pub mod create;
pub mod delete;
pub mod list;
pub mod update;

use chrono::{DateTime, Utc};
use primitives::input::Text;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, visibility::visible_post_query};

/// The maximum length of a comment, in characters.
pub const MAX_COMMENT: usize = 2_000;

pub type CommentText = Text<MAX_COMMENT>;

/// A comment that a member creates.
pub struct NewComment {
    pub post_id: Uuid,
    pub content: CommentText,
}

#[derive(Clone)]
pub struct Comment {
    /// In the bucket of the post's author.
    pub id: Uuid,
    pub post_id: Uuid,
    pub author_id: Uuid,
    pub content: String,
    pub created_at: DateTime<Utc>,
    pub edited_at: Option<DateTime<Utc>>,
}

/// A comment, without a check of visibility.
pub async fn get(db: &mut PgConnection, id: Uuid) -> Result<Option<Comment>, Error> {
    let comment = sqlx::query_as!(
        Comment,
        "select id, post_id, author_id, content, created_at, edited_at
        from feed.comments
        where id = $1",
        id
    );
    Ok(comment.fetch_optional(db).await?)
}

/// The author and text of a comment that the viewer may see.
pub struct VisibleComment {
    pub author_id: Uuid,
    pub content: String,
}

/// A comment, if the viewer may see its post and neither blocks its author nor is blocked by them.
pub async fn get_visible(db: &mut PgConnection, viewer: Uuid, id: Uuid) -> Result<VisibleComment, Error> {
    let comment = visible_post_query!(
        VisibleComment,
        r#"
        select c.author_id, c.content
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        where c.id = $2
            and not exists (select from feed.hidden_members h where h.member_id = c.author_id)
            and not exists (select from feed.blocks b where b.blocker_id = $1 and b.blocked_id = c.author_id)
            and not exists (select from feed.blocks b where b.blocker_id = c.author_id and b.blocked_id = $1)
            and
        "#,
        "",
        viewer,
        id
    );
    comment.fetch_optional(db).await?.ok_or(Error::CommentNotFound)
}
