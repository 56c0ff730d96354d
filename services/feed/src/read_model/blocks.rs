//! Blocks between members.

use std::collections::HashSet;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Inserts blocks: the two members of each.
pub async fn insert_all(db: &mut PgConnection, blockers: &[Uuid], blocked: &[Uuid]) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.blocks (blocker_id, blocked_id)
        select blocker_id, blocked_id
        from unnest($1::uuid[], $2::uuid[]) as b (blocker_id, blocked_id)
        on conflict (blocker_id, blocked_id) do nothing",
        blockers,
        blocked
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a block. A block in the other direction stays.
pub async fn delete(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.blocks
        where blocker_id = $1
            and blocked_id = $2",
        blocker,
        blocked
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns the members in a block with a member, in either direction.
pub async fn of_member(db: &mut PgConnection, member_id: Uuid) -> Result<HashSet<Uuid>, sqlx::Error> {
    let members = sqlx::query_scalar!(
        r#"
        select blocked_id as "member_id!"
        from feed.blocks
        where blocker_id = $1
        union all
        select blocker_id
        from feed.blocks
        where blocked_id = $1
        "#,
        member_id
    );
    Ok(members.fetch_all(db).await?.into_iter().collect())
}
