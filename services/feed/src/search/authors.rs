//! Authors whose accounts were closed or opened again: the search finds none of their posts from then on, or all of them.
//!
//! What is found is never shown of a closed account (pages), but a search looks at so many posts and no more: those of one
//! account that wrote thousands would be all it looks at. An account of two hundred thousand posts is not a statement's
//! work, so whose posts are to be read anew is noted in the transaction of the fact, and they are handed over in bites.

use std::time::Duration;

use chassis::ServiceContext;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::POSTS;

/// Posts handed over in one transaction.
const BITE: i64 = 500;
/// How often it is looked for authors.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Notes that all posts of some authors are to be read anew, from the first one on.
///
/// # Errors
/// As any statement.
pub async fn again(conn: &mut PgConnection, members: &[Uuid]) -> Result<(), sqlx::Error> {
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
    .execute(conn)
    .await?;
    Ok(())
}

/// Hands their posts over until the process stops.
pub fn work(context: &ServiceContext, db: &PgPool) {
    let db = db.clone();
    context.tasks.spawn("search-authors", move |stopped| {
        let db = db.clone();
        async move {
            loop {
                tokio::select! {
                    () = stopped.cancelled() => return Ok(()),
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                }
                while !stopped.is_cancelled() && hand_over(&db).await? {}
            }
        }
    });
}

/// Hands a bite of somebody's posts over; says whether there was anybody.
///
/// # Errors
/// As any statement; what was not done is done next time.
pub async fn hand_over(db: &PgPool) -> anyhow::Result<bool> {
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
        None => forget(&mut tx, next.member_id).await?,
    }
    tx.commit().await?;
    Ok(true)
}

/// Somebody's next posts, of two indexes: one has what is for everybody, the other what is not.
async fn posts(
    conn: &mut PgConnection,
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
        BITE,
    );
    let posts = posts.fetch_all(conn).await?;
    Ok(posts.into_iter().map(|post| (post.id, post.created_at)).collect())
}

/// Forgets an author, who is done with or is no more.
///
/// # Errors
/// As any statement.
pub async fn forget(conn: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from feed.search_authors where member_id = $1", member).execute(conn).await?;
    Ok(())
}
