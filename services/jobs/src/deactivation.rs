//! Erased accounts. A deactivated account needs nothing: no row of this service shows a member.

use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the member's applications with their history, files and snapshots, the allowance of files, and the idempotency keys. Idempotent.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from jobs.applications where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from jobs.file_allowances where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from jobs.idempotency_keys where member_id = $1", member).execute(db).await?;
    Ok(())
}
