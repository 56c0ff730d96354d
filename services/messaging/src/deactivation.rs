//! Deactivated accounts receive no messages and cause no notifications until they are reactivated or erased.
//!
//! The existing notifications that name a deactivated member are withdrawn in the background, so that the deactivation
//! does not wait for it.

pub mod erase;

use outbox::Changes;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::{error::Error, notifications::notifier, push::subscriptions};

/// Deactivates a member, whose browsers get no further push. Idempotent.
pub async fn deactivate(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!(
        "insert into messaging.closed_members (member_id)
        values ($1)
        on conflict (member_id) do nothing",
        member,
    )
    .execute(&mut *db)
    .await?;
    subscriptions::erase(db, member).await
}

/// Reverses [`deactivate`]. Idempotent.
pub async fn reactivate(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.closed_members where member_id = $1", member).execute(db).await?;
    Ok(())
}

/// Reactivates every member who is not being erased. Runs before a snapshot of auth, which lists the closed accounts
/// again.
pub async fn reactivate_all(db: &mut PgConnection) -> Result<(), Error> {
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

/// Runs the requested erasures, and the withdrawals for closed accounts. An error for one member does not stop the
/// others. The next call repeats failed work.
pub async fn run_requested(db: &PgPool, changes: &Changes) -> Result<(), Error> {
    let mut outcome = Ok(());
    let erased = sqlx::query_scalar!("select member_id from messaging.erasures order by requested_at");
    for member in erased.fetch_all(db).await? {
        outcome = outcome.and(erase::erase(db, changes, member).await);
    }
    let closed = sqlx::query_scalar!("select member_id from messaging.closed_members where told_of");
    for member in closed.fetch_all(db).await? {
        outcome = outcome.and(withdraw_notifications(db, changes, member).await);
    }
    outcome
}

/// Withdraws the notifications of others that a closed account caused, in batches, until the account is reactivated.
async fn withdraw_notifications(db: &PgPool, changes: &Changes, member: Uuid) -> Result<(), Error> {
    loop {
        let mut tx = db::begin(db).await?;
        if !claim_withdrawal(&mut tx, member).await? {
            return Ok(());
        }
        if !notifier::withdraw_actor_batch(&mut changes.work(&mut tx), member).await? {
            complete_withdrawal(&mut tx, member).await?;
        }
        tx.commit().await?;
    }
}

/// Locks the row of a closed account until the transaction ends; a reactivation waits for it. False when the account is
/// open, its notifications are withdrawn, or another process withdraws them.
async fn claim_withdrawal(db: &mut PgConnection, member: Uuid) -> Result<bool, Error> {
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

async fn complete_withdrawal(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("update messaging.closed_members set told_of = false where member_id = $1", member)
        .execute(db)
        .await?;
    Ok(())
}
