//! Blocks between members.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{batches::BATCH, error::Error};

/// Inserts a block. False when it exists.
pub async fn insert(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<bool, Error> {
    let inserted = sqlx::query!(
        "insert into messaging.blocks (blocker_id, blocked_id)
        values ($1, $2)
        on conflict (blocker_id, blocked_id) do nothing",
        blocker,
        blocked,
    );
    Ok(inserted.execute(db).await?.rows_affected() == 1)
}

/// Deletes a block. A block in the other direction stays. False when there is none.
pub async fn delete(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from messaging.blocks
        where blocker_id = $1
            and blocked_id = $2",
        blocker,
        blocked,
    );
    Ok(deleted.execute(db).await?.rows_affected() == 1)
}

/// Deletes a batch of the blocks by and against an erased member. False when there are none.
pub async fn erase_batch(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
    let deleted = sqlx::query!(
        "delete from messaging.blocks b
        using (
            select blocker_id, blocked_id
            from messaging.blocks
            where blocker_id = $1
                or blocked_id = $1
            limit $2
        ) as batch
        where b.blocker_id = batch.blocker_id
            and b.blocked_id = batch.blocked_id",
        member,
        BATCH,
    );
    Ok(deleted.execute(db).await?.rows_affected() > 0)
}
