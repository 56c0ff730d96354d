//! Who blocks whom: a copy of what social-graph tells. Neither of the two is shown to the other, whoever blocked.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Notes that a member blocks another.
///
/// # Errors
/// When the database is away.
pub async fn made(conn: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into profile.blocks (lower_id, upper_id, blocker_id)
        values (least($1::uuid, $2), greatest($1, $2), $1)
        on conflict (lower_id, upper_id, blocker_id) do nothing",
        blocker,
        blocked,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Notes that they lifted it. The other's own, if there is one, stands.
///
/// # Errors
/// When the database is away.
pub async fn lifted(conn: &mut PgConnection, blocker: Uuid, blocked: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "delete from profile.blocks
        where lower_id = least($1::uuid, $2)
            and upper_id = greatest($1, $2)
            and blocker_id = $1",
        blocker,
        blocked,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Forgets every block, before all of them are told anew.
///
/// # Errors
/// When the database is away.
pub async fn clear(conn: &mut PgConnection) -> Result<(), Error> {
    sqlx::query!("delete from profile.blocks").execute(conn).await?;
    Ok(())
}
