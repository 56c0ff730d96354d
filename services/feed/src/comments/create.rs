//! Creates comments and replies.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::NewComment;
use crate::{
    error::Error,
    visibility::{get_visible, visible_comment_query},
};

/// The post and the thread of a new comment.
pub struct CreatedComment {
    pub post_author_id: Uuid,
    /// The community of the post.
    pub community_id: Option<Uuid>,
    /// The top-level comment of a reply, and its author.
    pub reply_to: Option<Uuid>,
    pub reply_to_author_id: Option<Uuid>,
    /// The author of the post neither is connected to the author of the comment nor follows them.
    pub is_of_stranger: bool,
    /// The author of the comment has a connection.
    pub has_connections: bool,
}

/// Inserts a comment and increments the counters of its post and of its top-level comment, in one statement.
///
/// # Errors
/// [`Error::NotAWriter`] for an author who no longer belongs to the community of the post, which stays visible to them.
pub async fn create(
    db: &mut PgConnection,
    id: Uuid,
    author_id: Uuid,
    comment: &NewComment,
    now: DateTime<Utc>,
) -> Result<CreatedComment, Error> {
    let created = visible_comment_query!(
        CreatedComment,
        r#"
        with post as (
            update feed.posts p
            set comment_count = p.comment_count + 1
            from (select $6::uuid as id) as asked
            left join feed.comments c on c.id = asked.id and c.post_id = $2
            where p.id = $2
                and (asked.id is null or c.id is not null)
                and (
                    p.community_id is null
                    or exists (
                        select from feed.memberships w where w.member_id = $1 and w.community_id = p.community_id
                    )
                )
                and
        "#,
        r#"
            returning p.author_id, p.community_id, coalesce(c.reply_to, c.id) as reply_to
        ),
        thread as (
            update feed.comments t
            set reply_count = t.reply_count + 1
            from post
            where t.id = post.reply_to
            returning t.author_id
        ),
        inserted as (
            insert into feed.comments (author_id, post_id, id, content, created_at, reply_to)
            select $1, $2, $3, $4, $5, reply_to
            from post
        )
        select
            post.author_id as post_author_id,
            post.community_id,
            post.reply_to as "reply_to?",
            thread.author_id as "reply_to_author_id?",
            post.author_id <> $1
                and not exists (
                    select from feed.connections k where k.member_id = $1 and k.other_id = post.author_id
                )
                and not exists (
                    select from feed.follows f where f.member_id = post.author_id and f.followed_id = $1
                ) as "is_of_stranger!",
            exists (select from feed.connections k where k.member_id = $1) as "has_connections!"
        from post
        left join thread on true
        "#,
        author_id,
        comment.post_id,
        id,
        &*comment.content,
        now,
        comment.reply_to
    )
    .fetch_optional(&mut *db)
    .await?;
    match created {
        Some(created) => Ok(created),
        None => {
            let post = get_visible(&mut *db, author_id, comment.post_id).await?;
            Err(if !post.may_write {
                Error::NotAWriter
            } else if comment.reply_to.is_some() {
                Error::CommentNotFound
            } else {
                Error::PostNotFound
            })
        }
    }
}
