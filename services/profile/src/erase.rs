//! A member who is gone: nothing of them stays here.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Deletes the member's rows: experience, education and skills go with the member. Says whether there was one.
///
/// # Errors
/// When the database is away.
pub async fn member(conn: &mut PgConnection, id: Uuid) -> Result<bool, Error> {
    let done = sqlx::query!(
        "delete from profile.members
        where id = $1",
        id,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}
