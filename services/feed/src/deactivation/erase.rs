//! Erasure of a member: deletes all rows of the member in batches, each in its own transaction.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{
    allowances, comments,
    error::Error,
    hidden_posts, impressions, link_previews, mentions,
    moderation::removal,
    mutes, pdf_files, pictures,
    posts::{
        delete,
        erase::{BATCH, erase_post, next_post},
    },
    read_model::{self, connections},
    reports, saved_items, search, topics,
};

/// How often the task looks for requests.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Hides a member and requests the erasure, in the transaction of the fact.
pub async fn request_erasure(db: &mut PgConnection, member_id: &str, now: DateTime<Utc>) -> Result<(), Error> {
    super::deactivate(&mut *db, member_id, now).await?;
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    sqlx::query!(
        "insert into feed.erasures (member_id, requested_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member_id,
        now
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Erases deleted posts and requested members until the process stops.
pub fn spawn_erasure(context: &ServiceContext, db: &PgPool) {
    let (db, activity) = (db.clone(), context.activity.clone());
    context.tasks.spawn("erasures", move |stopped| {
        let (db, activity) = (db.clone(), activity.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = activity.pause(POLL_INTERVAL) => {
                        delete::purge(&db).await?;
                        erase_requested(&db).await?;
                    }
                }
            }
        }
    });
}

/// Erases every requested member. After an error, the next call continues.
///
/// # Errors
/// When a statement fails.
pub async fn erase_requested(db: &PgPool) -> anyhow::Result<()> {
    let requested =
        sqlx::query_scalar!("select member_id from feed.erasures order by requested_at").fetch_all(db).await?;
    for member_id in requested {
        erase(db, member_id).await?;
        tracing::info!(%member_id, "member erased");
    }
    Ok(())
}

/// Deletes the request last, so that a new process continues after a crash.
async fn erase(db: &PgPool, member_id: Uuid) -> anyhow::Result<()> {
    while erase_reactions(db, member_id).await? > 0 {}
    while comments::erase::erase_reactions_batch(db, member_id, BATCH).await? > 0 {}
    while comments::erase::erase_batch(db, member_id, BATCH).await? > 0 {}
    let mut tx = db::begin(db).await?;
    removal::erase(&mut tx, member_id).await?;
    tx.commit().await?;
    while let Some(post_id) = next_post(db, member_id).await? {
        erase_post(db, post_id).await?;
    }
    while pictures::release_batch(db, member_id, BATCH).await? > 0 {}
    while pdf_files::erase_batch(db, member_id).await? > 0 {}
    link_previews::release_drafts(&mut *db.acquire().await?, member_id).await?;
    erase_impressions(db, member_id).await?;
    while reports::erase_batch(&mut *db.acquire().await?, member_id, BATCH).await? > 0 {}
    while connections::erase_batch(db, member_id, BATCH).await? > 0 {}
    read_model::erase(&mut *db.acquire().await?, member_id).await?;
    saved_items::changes::erase(&mut *db.acquire().await?, member_id).await?;
    hidden_posts::erase(&mut *db.acquire().await?, member_id).await?;
    mutes::erase(&mut *db.acquire().await?, member_id).await?;
    topics::erase(&mut *db.acquire().await?, member_id).await?;
    mentions::allowance::erase(&mut *db.acquire().await?, member_id).await?;
    allowances::erase(&mut *db.acquire().await?, member_id).await?;
    search::reindex::cancel(&mut *db.acquire().await?, member_id).await?;
    sqlx::query!("delete from feed.author_stats where member_id = $1", member_id).execute(db).await?;
    sqlx::query!("delete from feed.idempotency_keys where member_id = $1", member_id).execute(db).await?;
    sqlx::query!(
        "with shown as (
            delete from feed.hidden_members
            where member_id = $1
            returning member_id
        )
        update feed.hidden_members_changes
        set n = n + 1
        where exists (select from shown)",
        member_id
    )
    .execute(db)
    .await?;
    sqlx::query!("delete from feed.erasures where member_id = $1", member_id).execute(db).await?;
    Ok(())
}

/// Deletes a batch of the reactions of a member and decrements the counters of the posts in the same statement. Locks the
/// posts in the order of their ids, so that two erasures cannot deadlock. Returns the size of the batch.
async fn erase_reactions(db: &PgPool, member_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with batch as (
            select post_id
            from feed.reactions
            where member_id = $1
            limit $2
        ),
        locked as (
            select id
            from feed.posts
            where id in (select post_id from batch)
            order by id
            for no key update
        ),
        deleted as (
            delete from feed.reactions r
            using locked
            where r.post_id = locked.id
                and r.member_id = $1
            returning r.post_id
        ),
        updated as (
            update feed.posts p
            set like_count = p.like_count - 1
            from deleted
            where p.id = deleted.post_id
        )
        select count(*) as "n!"
        from batch
        "#,
        member_id,
        BATCH
    )
    .fetch_one(db)
    .await
}

/// Deletes the impressions of a member as a viewer. The counters belong to the authors and stay.
async fn erase_impressions(db: &PgPool, member_id: Uuid) -> Result<(), sqlx::Error> {
    for day in impressions::days(&mut *db.acquire().await?).await? {
        sqlx::query!("delete from feed.impressions where day = $1 and viewer_id = $2", day, member_id)
            .execute(db)
            .await?;
    }
    Ok(())
}
