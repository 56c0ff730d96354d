//! Closed accounts: auth says whose, and nothing is said to them until they are open again or gone.

use sqlx::PgConnection;
use uuid::Uuid;

/// The account is closed.
pub async fn close(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into messaging.closed_members (member_id)
        values ($1)
        on conflict (member_id) do nothing",
        member,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// It is open again, or gone for good.
pub async fn forget(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from messaging.closed_members where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Forgets whose accounts are closed, because auth is about to tell anew.
pub async fn clear(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from messaging.closed_members").execute(db).await?;
    Ok(())
}
