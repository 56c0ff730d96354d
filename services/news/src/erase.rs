//! What happens to a member's rows when the account is gone for good.

use sqlx::PgConnection;
use uuid::Uuid;

/// Forgets who suggested what; suggestions nobody approved yet go with the member, and so does their count. Doing it twice
/// does nothing more.
pub async fn member(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from news.suggesters where member_id = $1", member).execute(&mut *db).await?;
    sqlx::query!("delete from news.resources where suggested_by = $1 and approved_at is null", member)
        .execute(&mut *db)
        .await?;
    sqlx::query!("update news.resources set suggested_by = null where suggested_by = $1", member).execute(db).await?;
    Ok(())
}
