//! Members who closed their account: shown to nobody and counted nowhere, until they come back or are erased.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, search};

/// Hides a member. Says whether they were shown until now.
///
/// # Errors
/// When the database is away.
pub async fn close(conn: &mut PgConnection, id: Uuid) -> Result<bool, Error> {
    let changed = set_hidden(conn, id, true).await?;
    if changed {
        count(conn, id, -1).await?;
        search::index(conn, id).await?;
    }
    Ok(changed)
}

/// Shows a member again. Says whether they were hidden until now.
///
/// # Errors
/// When the database is away.
pub async fn reopen(conn: &mut PgConnection, id: Uuid) -> Result<bool, Error> {
    let changed = set_hidden(conn, id, false).await?;
    if changed {
        count(conn, id, 1).await?;
        search::index(conn, id).await?;
    }
    Ok(changed)
}

/// Everybody whose counters follow is locked first, in the order of their ids: `connections` locks pairs likewise.
async fn set_hidden(conn: &mut PgConnection, id: Uuid, hidden: bool) -> Result<bool, Error> {
    sqlx::query!(
        "select id
        from profile.members
        where id = $1
            or id in (
                select upper_id
                from profile.connections
                where lower_id = $1
                union all
                select lower_id
                from profile.connections
                where upper_id = $1
            )
        order by id
        for no key update",
        id,
    )
    .fetch_all(&mut *conn)
    .await?;
    let done = sqlx::query!(
        "update profile.members
        set hidden = $2
        where id = $1
            and hidden <> $2",
        id,
        hidden,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Counts the member in or out wherever they count: as a connection, and as an endorser.
async fn count(conn: &mut PgConnection, id: Uuid, by: i64) -> Result<(), Error> {
    sqlx::query!(
        "update profile.members
        set connection_count = connection_count + $2
        where id in (
            select upper_id
            from profile.connections
            where lower_id = $1
            union all
            select lower_id
            from profile.connections
            where upper_id = $1
        )",
        id,
        by,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update profile.skills s
        set endorsement_count = s.endorsement_count + $2
        from profile.endorsements e
        where e.endorser_id = $1
            and not e.hidden
            and s.member_id = e.member_id
            and s.name = e.skill",
        id,
        by,
    )
    .execute(conn)
    .await?;
    Ok(())
}
