//! Closed accounts: auth says whose, and nothing is said to them until they are open again or gone. What others were told
//! of them is taken back later, by `crate::erase`: that they are closed does not wait for it.

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

/// Whether others may still be told of what a member did whose account is closed, and nobody else takes it back now. That
/// the account opens again waits for the transaction.
pub async fn claim(db: &mut PgConnection, member: Uuid) -> Result<bool, sqlx::Error> {
    let claimed = sqlx::query_scalar!(
        "select member_id
        from messaging.closed_members
        where member_id = $1
            and told_of
        for update skip locked",
        member,
    );
    Ok(claimed.fetch_optional(db).await?.is_some())
}

/// Nobody is told of them any more.
pub async fn taken_back(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update messaging.closed_members set told_of = false where member_id = $1", member)
        .execute(db)
        .await?;
    Ok(())
}

/// It is open again, or gone for good.
pub async fn forget(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from messaging.closed_members where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Forgets whose accounts are closed, because auth is about to tell anew; whoever is just being forgotten stays so.
pub async fn clear(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from messaging.closed_members c
        where not exists (
            select
            from messaging.erasures e
            where e.member_id = c.member_id
        )",
    )
    .execute(db)
    .await?;
    Ok(())
}
