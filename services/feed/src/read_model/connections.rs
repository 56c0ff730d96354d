//! Connections, stored once for each of the two members.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// Inserts an accepted connection.
pub async fn insert(db: &mut PgConnection, id: Uuid, one: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.connections (connection_id, member_id, other_id)
        values ($1, $2, $3), ($1, $3, $2)
        on conflict (member_id, connection_id) do nothing",
        id,
        one,
        other
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a connection or a refused request.
pub async fn delete(db: &mut PgConnection, id: Uuid, one: Uuid, other: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.connections
        where member_id in ($2, $3)
            and connection_id = $1",
        id,
        one,
        other
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a batch of the connections of an erased member, on both sides. Returns the number of connections.
pub async fn erase_batch(db: &PgPool, member_id: Uuid, batch: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"
        with batch as (
            select connection_id, other_id
            from feed.connections
            where member_id = $1
            limit $2
        ),
        other_side as (
            delete from feed.connections c
            using batch
            where c.member_id = batch.other_id
                and c.connection_id = batch.connection_id
        ),
        own_side as (
            delete from feed.connections c
            using batch
            where c.member_id = $1
                and c.connection_id = batch.connection_id
        )
        select count(*) as "n!"
        from batch
        "#,
        member_id,
        batch
    )
    .fetch_one(db)
    .await
}
