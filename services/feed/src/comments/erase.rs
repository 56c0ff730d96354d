//! Erasure of the comments of a member and of their reactions to comments, in batches.
//!
//! Every transaction locks the posts first, in the order of their ids, so that two erasures cannot deadlock. A later
//! statement changes the rows, because only it sees rows that were written while the first one waited.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Deletes a batch of the comments of a member with their replies, and decrements the counters of posts and top-level
/// comments. Returns the number of deleted rows.
pub async fn erase_batch(db: &PgPool, member_id: Uuid, batch: i64) -> anyhow::Result<u64> {
    let mut tx = db::begin(db).await?;
    let posts = sqlx::query_scalar!(
        "select id
        from feed.posts
        where id in (select post_id from feed.comments where author_id = $1 limit $2)
        order by id
        for no key update",
        member_id,
        batch
    )
    .fetch_all(&mut *tx)
    .await?;
    let deleted = delete_comments(&mut tx, member_id, &posts, batch).await?;
    tx.commit().await?;
    Ok(deleted)
}

async fn delete_comments(
    db: &mut PgConnection,
    member_id: Uuid,
    posts: &[Uuid],
    batch: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query_scalar!(
        r#"
        with own as (
            select id
            from feed.comments
            where author_id = $1
                and post_id = any($2)
            limit $3
        ),
        deleted as (
            delete from feed.comments c
            where c.id in (
                select id
                from own
                union
                select r.id
                from own
                join feed.comments r on r.reply_to = own.id
            )
            returning c.id, c.post_id, c.reply_to
        ),
        of_posts as (
            select post_id, count(*) as n
            from deleted
            group by post_id
        ),
        of_threads as (
            select reply_to, count(*) as n
            from deleted
            where reply_to not in (select id from deleted)
            group by reply_to
        ),
        posts as (
            update feed.posts p
            set comment_count = p.comment_count - of_posts.n
            from of_posts
            where p.id = of_posts.post_id
        ),
        threads as (
            update feed.comments t
            set reply_count = t.reply_count - of_threads.n
            from of_threads
            where t.id = of_threads.reply_to
        )
        select count(*) as "n!"
        from deleted
        "#,
        member_id,
        posts,
        batch
    )
    .fetch_one(db)
    .await?;
    Ok(deleted.unsigned_abs())
}

/// Deletes a batch of the reactions of a member to comments, and decrements their counters. Returns the number of
/// deleted rows.
pub async fn erase_reactions_batch(db: &PgPool, member_id: Uuid, batch: i64) -> anyhow::Result<u64> {
    let mut tx = db::begin(db).await?;
    let comments = sqlx::query_scalar!(
        "select c.id
        from feed.comments c
        join feed.posts p on p.id = c.post_id
        where c.id in (select comment_id from feed.comment_reactions where member_id = $1 limit $2)
        order by p.id, c.id
        for no key update of p, c",
        member_id,
        batch
    )
    .fetch_all(&mut *tx)
    .await?;
    let deleted = sqlx::query!(
        "with deleted as (
            delete from feed.comment_reactions
            where member_id = $1
                and comment_id = any($2)
            returning comment_id
        ),
        shown as (
            update feed.posts p
            set has_comment_reactions = p.has_comment_reactions
            where p.id in (select c.post_id from feed.comments c join deleted d on d.comment_id = c.id)
        )
        update feed.comments c
        set like_count = c.like_count - 1
        from deleted
        where c.id = deleted.comment_id",
        member_id,
        &comments
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(deleted.rows_affected())
}

/// Deletes a batch of the reactions to the comments on a deleted post. Returns the number of deleted rows.
pub async fn erase_reactions_on(db: &PgPool, post_id: Uuid, batch: i64) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from feed.comment_reactions
        where (comment_id, member_id) in (
            select r.comment_id, r.member_id
            from feed.comments c
            join feed.comment_reactions r on r.comment_id = c.id
            where c.post_id = $1
            limit $2
        )",
        post_id,
        batch
    );
    Ok(deleted.execute(db).await?.rows_affected())
}
