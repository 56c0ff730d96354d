//! A member who is gone: nothing of them stays here.

use chrono::DateTime;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{closing, error::Error, search};

/// Deletes the member's rows: experience, education, skills with the endorsements they received, and views on either
/// side go with the member. Their picture's object is the sweeper's, at once. Says whether there was a member.
///
/// # Errors
/// When the database is away.
pub async fn member(conn: &mut PgConnection, id: Uuid) -> Result<bool, Error> {
    // Counted out like one who is only hidden; most are by now.
    closing::close(conn, id).await?;
    sqlx::query!(
        "delete from profile.endorsements
        where endorser_id = $1",
        id,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "delete from profile.connections
        where lower_id = $1
            or upper_id = $1",
        id,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "delete from profile.blocks
        where lower_id = $1
            or upper_id = $1",
        id,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "update profile.pictures
        set member_id = null, uses = 0, unused_since = $2
        where member_id = $1",
        id,
        DateTime::UNIX_EPOCH,
    )
    .execute(&mut *conn)
    .await?;
    search::MEMBERS.remove(conn, &[id]).await?;
    let done = sqlx::query!(
        "delete from profile.members
        where id = $1",
        id,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
