//! What happens to a member's rows when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the member's applications, their history and snapshots with them, and the keys of requests. Doing it twice does
/// nothing more.
pub async fn member(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from jobs.applications where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from jobs.idempotency_keys where member_id = $1", member).execute(db).await?;
    Ok(())
}
