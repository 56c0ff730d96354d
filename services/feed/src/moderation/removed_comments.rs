//! Removed comments with the replies to them, outside of the comments of their post.

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    cases::Removed,
    error::Error,
    mentions::MentionChange,
    publishing::{self, EditedCommentRef},
};

/// Copies a comment of the author with the replies to it. The post is locked.
pub async fn keep(db: &mut PgConnection, removal: Uuid, comment: Uuid, author: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into feed.removed_comments
            (id, removal_id, post_id, author_id, content, created_at, edited_at, reply_to)
        select c.id, $1, c.post_id, c.author_id, c.content, c.created_at, c.edited_at, c.reply_to
        from feed.comments own
        join feed.comments c on own.id in (c.id, c.reply_to)
        where own.id = $2
            and own.author_id = $3",
        removal,
        comment,
        author
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Restores the comments of a removal without their reactions. Returns `false` when the post or the answered comment
/// was deleted.
pub async fn restore(work: &mut UnitOfWork<'_>, removed: &Removed) -> Result<bool, Error> {
    // The post first, like every writer of comments.
    let post = sqlx::query!(
        "select p.id, p.author_id, c.reply_to
        from feed.removed_comments c
        join feed.posts p on p.id = c.post_id
        where c.id = $1
            and c.removal_id = $2
            and p.author_id <> '00000000-0000-0000-0000-000000000000'
            and (c.reply_to is null or exists (select from feed.comments t where t.id = c.reply_to))
        for no key update of p",
        removed.item_id,
        removed.id
    );
    let Some(post) = post.fetch_optional(&mut *work.db).await? else { return Ok(false) };
    let inserted = sqlx::query!(
        "with restored as (
            delete from feed.removed_comments
            where removal_id = $1
            returning *
        ),
        replies as (
            select count(*) as n
            from restored
            where reply_to = $2
        ),
        inserted as (
            insert into feed.comments (id, post_id, author_id, content, created_at, edited_at, reply_to, reply_count)
            select
                id, post_id, author_id, content, created_at, edited_at, reply_to,
                case when id = $2 then replies.n else 0 end
            from restored
            cross join replies
            returning id
        ),
        thread as (
            update feed.comments t
            set reply_count = t.reply_count + 1
            where t.id = $4
        )
        update feed.posts p
        set comment_count = p.comment_count + (select count(*) from inserted)
        where p.id = $3",
        removed.id,
        removed.item_id,
        post.id,
        post.reply_to
    );
    inserted.execute(&mut *work.db).await?;
    let edited =
        EditedCommentRef { post: post.id, author: post.author_id, comment: removed.item_id, member: removed.author_id };
    publishing::publish_post_comment_edited(work, &edited, &MentionChange::default()).await?;
    Ok(true)
}
