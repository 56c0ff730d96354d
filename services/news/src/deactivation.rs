//! Erased accounts. A deactivated account needs nothing: no row of this service shows a member.

use sqlx::PgConnection;
use uuid::Uuid;

/// Deletes the member's pending suggestions and their counter, and the name of the member from approved ones. Idempotent.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from news.suggesters where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from news.resources where suggested_by = $1 and approved_at is null", member)
        .execute(&mut *db)
        .await?;
    sqlx::query!("update news.resources set suggested_by = null where suggested_by = $1", member).execute(db).await?;
    Ok(())
}
