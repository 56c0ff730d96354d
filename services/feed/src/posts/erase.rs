//! Deletes the rows of posts, in batches.

use sqlx::PgPool;
use uuid::Uuid;

use crate::{comments, search};

/// The number of rows that one transaction deletes. It bounds the time for which posts are locked.
pub const BATCH: i64 = 500;

/// Returns a post of the member, if one is left.
pub async fn next_post(db: &PgPool, member_id: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from feed.posts where author_id = $1 limit 1", member_id).fetch_optional(db).await
}

/// Deletes a post after its reactions and comments, and decrements the share count of its original.
pub async fn erase_post(db: &PgPool, post_id: Uuid) -> Result<(), sqlx::Error> {
    while comments::erase::erase_reactions_on(db, post_id, BATCH).await? > 0 {}
    while erase_children(db, post_id).await? > 0 {}
    search::POSTS.remove(&mut *db.acquire().await?, &[post_id]).await?;
    sqlx::query!(
        "with deleted as (
            delete from feed.posts
            where id = $1
            returning repost_of, link_preview_id
        ),
        released as (
            update feed.link_previews p
            set check_at = 'epoch'
            from deleted
            where p.id = deleted.link_preview_id
        )
        update feed.posts p
        set share_count = p.share_count - 1
        from deleted
        where p.id = deleted.repost_of",
        post_id
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a batch of the reactions and comments on a post. Returns the number of rows.
async fn erase_children(db: &PgPool, post_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with reactions as (
            delete from feed.reactions
            where (post_id, member_id) in (select post_id, member_id from feed.reactions where post_id = $1 limit $2)
            returning post_id
        ),
        comments as (
            delete from feed.comments
            where id in (select id from feed.comments where post_id = $1 limit $2)
            returning post_id
        )
        select (select count(*) from reactions) + (select count(*) from comments) as "n!"
        "#,
        post_id,
        BATCH
    )
    .fetch_one(db)
    .await
}
