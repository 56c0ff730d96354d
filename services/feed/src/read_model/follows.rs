//! Members that members follow.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Inserts follows: the two members and the time of each.
pub async fn insert_all(
    db: &mut PgConnection,
    followers: &[Uuid],
    followed: &[Uuid],
    times: &[DateTime<Utc>],
) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.follows (member_id, followed_id, followed_at)
        select follower_id, followed_id, followed_at
        from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as f (follower_id, followed_id, followed_at)
        on conflict (member_id, followed_id) do nothing",
        followers,
        followed,
        times
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a follow.
pub async fn delete(db: &mut PgConnection, member: Uuid, followed: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.follows
        where member_id = $1
            and followed_id = $2",
        member,
        followed
    )
    .execute(db)
    .await?;
    Ok(())
}
