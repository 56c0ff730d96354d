//! Forgetting a member whose account is gone: whatever they wrote, were shown and were counted, in bounded transactions.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use primitives::{ids, input::InvalidRequest};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{error::Error, graph, hidden, impressions, pictures, removal, reports, saved, search};

/// Rows deleted in one transaction: nobody who likes a post waits longer than that takes.
const BATCH: i64 = 500;
/// How often new requests are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Notes that a member is to be forgotten, in the transaction of the fact that says so; until it is done they are hidden.
///
/// # Errors
/// When the id is none.
pub async fn request(conn: &mut PgConnection, member_id: &str, at: DateTime<Utc>) -> Result<(), Error> {
    hidden::hide(&mut *conn, member_id, at).await?;
    let member_id = ids::parse("memberId", member_id).map_err(InvalidRequest::from)?;
    sqlx::query!(
        "insert into feed.erasures (member_id, requested_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member_id,
        at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Works off what was noted until the process stops.
pub fn work(context: &ServiceContext, db: &PgPool) {
    let db = db.clone();
    context.tasks.spawn("erasures", move |stopped| {
        let db = db.clone();
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(LOOK_EVERY) => {
                        removal::clear(&db).await?;
                        forget_all(&db).await?;
                    }
                }
            }
        }
    });
}

/// Forgets every member who is noted.
///
/// # Errors
/// As any statement; what was not done is done next time.
pub async fn forget_all(db: &PgPool) -> Result<(), sqlx::Error> {
    let waiting =
        sqlx::query_scalar!("select member_id from feed.erasures order by requested_at").fetch_all(db).await?;
    for member_id in waiting {
        forget(db, member_id).await?;
        tracing::info!(%member_id, "member forgotten");
    }
    Ok(())
}

/// Each statement takes a bite and is a transaction of its own; the note goes last, so a process killed on the way
/// starts over where it stood.
async fn forget(db: &PgPool, member_id: Uuid) -> Result<(), sqlx::Error> {
    while reactions(db, member_id).await? > 0 {}
    while comments(db, member_id).await? > 0 {}
    while let Some(post_id) = next_post(db, member_id).await? {
        post(db, post_id).await?;
    }
    while pictures::forget(db, member_id, BATCH).await? > 0 {}
    shown_to(db, member_id).await?;
    while reports::forget(&mut *db.acquire().await?, member_id, BATCH).await? > 0 {}
    while graph::forget_connections(db, member_id, BATCH).await? > 0 {}
    graph::forget(&mut *db.acquire().await?, member_id).await?;
    saved::forget(&mut *db.acquire().await?, member_id).await?;
    search::authors::forget(&mut *db.acquire().await?, member_id).await?;
    sqlx::query!("delete from feed.author_stats where member_id = $1", member_id).execute(db).await?;
    sqlx::query!("delete from feed.idempotency_keys where member_id = $1", member_id).execute(db).await?;
    sqlx::query!("delete from feed.hidden_members where member_id = $1", member_id).execute(db).await?;
    sqlx::query!("delete from feed.erasures where member_id = $1", member_id).execute(db).await?;
    Ok(())
}

/// Takes back reactions, and counts them off in the same statement. Posts are locked in the order of their ids, so
/// that two members forgotten at once do not wait for each other. Answers how many it found.
async fn reactions(db: &PgPool, member_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with bite as (
            select post_id
            from feed.reactions
            where member_id = $1
            limit $2
        ),
        locked as (
            select id
            from feed.posts
            where id in (select post_id from bite)
            order by id
            for no key update
        ),
        gone as (
            delete from feed.reactions r
            using locked
            where r.post_id = locked.id
                and r.member_id = $1
            returning r.post_id
        ),
        counted as (
            update feed.posts p
            set like_count = p.like_count - 1
            from gone
            where p.id = gone.post_id
        )
        select count(*) as "n!"
        from bite
        "#,
        member_id,
        BATCH
    )
    .fetch_one(db)
    .await
}

/// The same with comments, of which a post may have several.
async fn comments(db: &PgPool, member_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with bite as (
            select id, post_id
            from feed.comments
            where author_id = $1
            limit $2
        ),
        locked as (
            select id
            from feed.posts
            where id in (select post_id from bite)
            order by id
            for no key update
        ),
        gone as (
            delete from feed.comments c
            using bite, locked
            where c.id = bite.id
                and bite.post_id = locked.id
            returning c.post_id
        ),
        fewer as (
            select post_id, count(*) as n
            from gone
            group by post_id
        ),
        counted as (
            update feed.posts p
            set comment_count = p.comment_count - fewer.n
            from fewer
            where p.id = fewer.post_id
        )
        select count(*) as "n!"
        from bite
        "#,
        member_id,
        BATCH
    )
    .fetch_one(db)
    .await
}

/// A post of a member's, while there is one.
///
/// # Errors
/// As any statement.
pub async fn next_post(db: &PgPool, member_id: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from feed.posts where author_id = $1 limit 1", member_id).fetch_optional(db).await
}

/// A post goes, after what was said under it; what it passed on was passed on once less.
///
/// # Errors
/// As any statement.
pub async fn post(db: &PgPool, post_id: Uuid) -> Result<(), sqlx::Error> {
    while said_under(db, post_id).await? > 0 {}
    search::POSTS.remove(&mut *db.acquire().await?, &[post_id]).await?;
    sqlx::query!(
        "with gone as (
            delete from feed.posts
            where id = $1
            returning repost_of
        )
        update feed.posts p
        set share_count = p.share_count - 1
        from gone
        where p.id = gone.repost_of",
        post_id
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Which posts the member was shown: nobody else waits for these rows. Their counters belong to others, and stay.
async fn shown_to(db: &PgPool, member_id: Uuid) -> Result<(), sqlx::Error> {
    for day in impressions::days(&mut *db.acquire().await?).await? {
        sqlx::query!("delete from feed.impressions where day = $1 and viewer_id = $2", day, member_id)
            .execute(db)
            .await?;
    }
    Ok(())
}

/// What others said under a post that goes: its counters go with it. Answers how much it found.
async fn said_under(db: &PgPool, post_id: Uuid) -> Result<i64, sqlx::Error> {
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
