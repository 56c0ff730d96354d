//! Connections, stored once for each of the two members.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Error;

/// Inserts accepted connections: the id and the two members of each.
pub async fn insert_all(
    db: &mut PgConnection,
    ids: &[Uuid],
    requesters: &[Uuid],
    recipients: &[Uuid],
) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.connections (connection_id, member_id, other_id)
        select c.id, side.member_id, side.other_id
        from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as c (id, requester_id, recipient_id)
        cross join lateral (
            values (c.requester_id, c.recipient_id), (c.recipient_id, c.requester_id)
        ) as side (member_id, other_id)
        on conflict (member_id, connection_id) do nothing",
        ids,
        requesters,
        recipients
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
