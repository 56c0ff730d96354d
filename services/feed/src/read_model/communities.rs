//! Names and members of communities.
//!
//! The posts of a removed community are visible only to their authors, as if every member had left.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Sets the name of a new or renamed community.
pub async fn set_name(db: &mut PgConnection, community_id: Uuid, name: &str) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.communities (id, name)
        values ($1, $2)
        on conflict (id) do update
        set name = excluded.name",
        community_id,
        name
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a community, its memberships and its mutes.
pub async fn delete(db: &mut PgConnection, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from feed.memberships where community_id = $1", community_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.mutes where target_id = $1", community_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.communities where id = $1", community_id).execute(db).await?;
    Ok(())
}

/// Inserts a membership, or sets its role.
pub async fn set_membership(
    db: &mut PgConnection,
    member_id: Uuid,
    community_id: Uuid,
    moderates: bool,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into feed.memberships as known (member_id, community_id, moderates)
        values ($1, $2, $3)
        on conflict (member_id, community_id) do update
        set moderates = excluded.moderates
        where known.moderates <> excluded.moderates",
        member_id,
        community_id,
        moderates
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes a membership.
pub async fn delete_membership(db: &mut PgConnection, member_id: Uuid, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from feed.memberships
        where member_id = $1
            and community_id = $2",
        member_id,
        community_id
    )
    .execute(db)
    .await?;
    Ok(())
}
