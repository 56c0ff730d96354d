//! Names, readers and members of communities.
//!
//! The posts of a removed community are visible only to their authors, as if every member had left.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search::reindex};

/// Sets the name of a community, and whether everyone may read its posts.
pub async fn set(db: &mut PgConnection, community_id: Uuid, name: &str, is_public: bool) -> Result<(), Error> {
    let changes_readers = sqlx::query_scalar!(
        r#"with before as (
            select is_public
            from feed.communities
            where id = $1
        )
        insert into feed.communities (id, name, is_public)
        values ($1, $2, $3)
        on conflict (id) do update
        set name = excluded.name, is_public = excluded.is_public
        returning coalesce((select is_public from before), false) <> is_public as "changes_readers!""#,
        community_id,
        name,
        is_public
    );
    if changes_readers.fetch_one(&mut *db).await? {
        reindex::request(db, &[community_id]).await?;
    }
    Ok(())
}

/// Deletes a community, its memberships and its mutes.
pub async fn delete(db: &mut PgConnection, community_id: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from feed.memberships where community_id = $1", community_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.mutes where target_id = $1", community_id).execute(&mut *db).await?;
    sqlx::query!("delete from feed.communities where id = $1", community_id).execute(&mut *db).await?;
    Ok(reindex::request(db, &[community_id]).await?)
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
