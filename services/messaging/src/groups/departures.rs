//! Stores which members left a group themselves.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{batches::BATCH, error::Error};

/// Stores that the member left the group. The caller holds the lock of the conversation.
pub async fn insert(db: &mut PgConnection, id: Uuid, member: Uuid, at: DateTime<Utc>) -> Result<(), Error> {
    sqlx::query!(
        "insert into messaging.group_departures (conversation_id, member_id, left_at)
        values ($1, $2, $3)
        on conflict (conversation_id, member_id) do nothing",
        id,
        member,
        at,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns whether one of the members left the group. The caller holds the lock of the conversation.
pub async fn exist(db: &mut PgConnection, id: Uuid, members: &[Uuid]) -> Result<bool, Error> {
    let exist = sqlx::query_scalar!(
        r#"select exists (
            select
            from messaging.group_departures d
            where d.conversation_id = $1
                and d.member_id = any ($2)
        ) as "exist!""#,
        id,
        members,
    );
    Ok(exist.fetch_one(db).await?)
}

/// Deletes a batch of the departures of an erased member. False when there are none.
pub async fn erase_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let erased = sqlx::query!(
        "delete from messaging.group_departures
        where member_id = $1
            and conversation_id = any(array(
                select conversation_id
                from messaging.group_departures
                where member_id = $1
                limit $2
            ))",
        member,
        BATCH,
    );
    Ok(erased.execute(db).await?.rows_affected() > 0)
}
