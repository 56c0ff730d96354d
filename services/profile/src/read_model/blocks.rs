//! A copy of social-graph's blocks. A block in one direction hides both members from each other.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

pub async fn insert(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into profile.blocks (lower_id, upper_id, blocker_id)
        values (least($1::uuid, $2), greatest($1, $2), $1)
        on conflict (lower_id, upper_id, blocker_id) do nothing",
        blocker,
        blocked,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes one direction; a block in the other direction stays.
pub async fn delete(db: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from profile.blocks
        where lower_id = least($1::uuid, $2)
            and upper_id = greatest($1, $2)
            and blocker_id = $1",
        blocker,
        blocked,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Returns the members with a block between them and the viewer, in either direction.
pub async fn list_separated(db: &mut PgConnection, viewer: Uuid, ids: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    let separated = sqlx::query_scalar!(
        r#"select id as "id!"
        from unnest((select $1::uuid[])) as id
        where exists (
            select from profile.blocks
            where lower_id = least(id, $2)
                and upper_id = greatest(id, $2)
        )"#,
        ids,
        viewer,
    );
    Ok(separated.fetch_all(db).await?)
}

/// Deletes the rows of an erased member.
pub async fn delete_of(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from profile.blocks where lower_id = $1 or upper_id = $1", member).execute(db).await?;
    Ok(())
}

/// Deletes all rows before a snapshot.
pub async fn delete_all(db: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from profile.blocks").execute(db).await?;
    Ok(())
}
