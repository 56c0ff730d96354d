//! Members that members follow.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Inserts a follow.
pub async fn insert(db: &mut PgConnection, member: Uuid, followed: Uuid, at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.follows (member_id, followed_id, followed_at)
        values ($1, $2, $3)
        on conflict (member_id, followed_id) do nothing",
        member,
        followed,
        at
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
