//! Updates the search index after an author was deactivated or reactivated.
//!
//! Search results contain no post of a deactivated author, but a search reads a bounded number of documents: the thousands of
//! posts of one account could use them up. An account may have 200,000 posts, too many for one statement. The transaction of
//! the fact stores the author, and a background task marks the posts as stale, in batches.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::POSTS;

/// Posts marked in one transaction.
const BATCH: i64 = 500;
/// How often the task looks for authors.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Requests the update of all posts of the members, from the first post on.
pub async fn request(db: &mut PgConnection, members: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into feed.search_authors (member_id)
        select member_id
        from unnest($1::uuid[]) as member_id
        order by member_id
        on conflict (member_id) do update
        set created_at = excluded.created_at,
            post_id = excluded.post_id",
        members,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Marks the posts of requested authors as stale until the process stops.
pub fn spawn(context: &ServiceContext, db: &PgPool) {
    let (db, activity) = (db.clone(), context.activity.clone());
    context.tasks.spawn("search-authors", move |stopped| {
        let (db, activity) = (db.clone(), activity.clone());
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = activity.pause(POLL_INTERVAL) => {}
                }
                while !stopped.is_cancelled() && mark_batch(&db).await? {}
            }
        }
    });
}

/// Marks a batch of the posts of one author as stale. Returns false when no author was requested.
///
/// # Errors
/// When a statement fails; the next call continues.
pub async fn mark_batch(db: &PgPool) -> anyhow::Result<bool> {
    let mut tx = db::begin(db).await?;
    let next = sqlx::query!(
        r#"select member_id, created_at, post_id
        from feed.search_authors
        order by member_id
        limit 1
        for update skip locked"#,
    );
    let Some(next) = next.fetch_optional(&mut *tx).await? else { return Ok(false) };
    let posts = posts(&mut tx, next.member_id, next.created_at, next.post_id).await?;
    match posts.last() {
        Some((last, at)) => {
            POSTS.mark_stale(&mut tx, &posts.iter().map(|(id, _)| *id).collect::<Vec<_>>()).await?;
            sqlx::query!(
                "update feed.search_authors
                set created_at = $2, post_id = $3
                where member_id = $1",
                next.member_id,
                at,
                last,
            )
            .execute(&mut *tx)
            .await?;
        }
        None => cancel(&mut tx, next.member_id).await?,
    }
    tx.commit().await?;
    Ok(true)
}

/// Returns the next posts of an author, from two indexes: of public posts and of posts in communities.
async fn posts(
    db: &mut PgConnection,
    member: Uuid,
    created_at: DateTime<Utc>,
    id: Uuid,
) -> Result<Vec<(Uuid, DateTime<Utc>)>, sqlx::Error> {
    let posts = sqlx::query!(
        r#"select id as "id!", created_at as "created_at!"
        from (
            (
                select id, created_at
                from feed.posts
                where author_id = $1
                    and community_id is null
                    and (created_at, id) > ($2, $3)
                order by created_at, id
                limit $4
            )
            union all
            (
                select id, created_at
                from feed.posts
                where author_id = $1
                    and community_id is not null
                    and (created_at, id) > ($2, $3)
                order by created_at, id
                limit $4
            )
        ) as both_kinds
        order by created_at, id
        limit $4"#,
        member,
        created_at,
        id,
        BATCH,
    );
    let posts = posts.fetch_all(db).await?;
    Ok(posts.into_iter().map(|post| (post.id, post.created_at)).collect())
}

/// Deletes the request for an author who is finished or erased.
pub async fn cancel(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.search_authors where member_id = $1", member).execute(db).await?;
    Ok(())
}
