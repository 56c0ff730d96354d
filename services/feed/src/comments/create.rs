//! Creates comments and replies.

use outbox::UnitOfWork;
use primitives::allowance::is_new_account;
use uuid::Uuid;

use super::{Comment, NewComment};
use crate::{
    allowances,
    error::Error,
    mentions::{MentionPlace, list_to_notify},
    publishing::{self, CommentRef},
    visibility::{get_visible, visible_comment_query},
};

/// The post and the thread of a new comment.
struct CreatedComment {
    post_author_id: Uuid,
    /// The community of the post.
    community_id: Option<Uuid>,
    /// The top-level comment of a reply, and its author.
    reply_to: Option<Uuid>,
    reply_to_author_id: Option<Uuid>,
    /// The author of the post neither is connected to the author of the comment nor follows them.
    is_of_stranger: bool,
    /// The author of the comment has a connection.
    has_connections: bool,
}

/// Creates a comment. `scale` multiplies the daily allowance of a new account.
///
/// # Errors
/// [`Error::NotAWriter`] for an author who no longer belongs to the community of the post, which stays visible to them;
/// [`Error::CommentsOfDay`].
pub async fn create(
    work: &mut UnitOfWork<'_>,
    scale: u32,
    id: Uuid,
    author_id: Uuid,
    new: NewComment,
) -> Result<Comment, Error> {
    let created = insert(work, id, author_id, &new).await?;
    if created.is_of_stranger && is_new_account(author_id, created.has_connections, work.now) {
        allowances::count_comment(work, author_id, scale).await?;
    }
    publish(work, id, author_id, &new, &created).await?;
    Ok(Comment {
        id,
        post_id: new.post_id,
        author_id,
        content: new.content.into_string(),
        created_at: work.now,
        edited_at: None,
        reply_to: created.reply_to,
        reply_count: 0,
        like_count: 0,
        reaction: None,
    })
}

async fn publish(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    author_id: Uuid,
    new: &NewComment,
    created: &CreatedComment,
) -> Result<(), Error> {
    let comment = CommentRef {
        post: new.post_id,
        author: created.post_author_id,
        comment: id,
        member: author_id,
        reply_to: created.reply_to,
        reply_to_author: created.reply_to_author_id,
    };
    let place = MentionPlace { post_id: new.post_id, author_id, reply_to_author: created.reply_to_author_id };
    let mentioned = list_to_notify(work, place, "", &new.content).await?;
    publishing::publish_post_commented(work, &comment, created.community_id, &mentioned).await?;
    Ok(())
}

/// Inserts a comment and increments the counters of its post and of its top-level comment, in one statement.
async fn insert(
    work: &mut UnitOfWork<'_>,
    id: Uuid,
    author_id: Uuid,
    comment: &NewComment,
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
        work.now,
        comment.reply_to
    )
    .fetch_optional(&mut *work.db)
    .await?;
    match created {
        Some(created) => Ok(created),
        None => {
            let post = get_visible(work.db, author_id, comment.post_id).await?;
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
