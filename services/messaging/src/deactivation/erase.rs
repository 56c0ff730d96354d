//! Erasure of a member: deletes all rows of the member in batches, each in its own transaction, so that no statement
//! and no lock takes long.

#[cfg(test)]
mod tests;

use outbox::{Changes, UnitOfWork};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    attachments, conversations,
    error::Error,
    groups,
    messages::{self, reactions},
    notifications::notifier,
    read_model::{self, blocks},
    unread,
};

/// Deactivates a member and requests the erasure, in the transaction of the fact. Idempotent.
pub async fn request_erasure(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    super::deactivate(work.db, member).await?;
    sqlx::query!(
        "insert into messaging.erasures (member_id, requested_at)
        values ($1, $2)
        on conflict (member_id) do nothing",
        member,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    Ok(())
}

/// Erases a member. The last batch deletes the request, so that a new process continues after a crash.
pub async fn erase(db: &PgPool, changes: &Changes, member: Uuid) -> Result<(), Error> {
    while let Some(mut tx) = begin_claimed(db, member).await? {
        let more = erase_batch(&mut changes.work(&mut tx), member).await?;
        tx.commit().await?;
        if !more {
            tracing::info!(%member, "member erased");
        }
    }
    Ok(())
}

/// Begins a transaction that holds the request. None when there is no request, or another process holds it.
async fn begin_claimed(db: &PgPool, member: Uuid) -> Result<Option<db::Transaction>, Error> {
    let mut tx = db::begin(db).await?;
    let claimed = sqlx::query_scalar!(
        "select member_id
        from messaging.erasures
        where member_id = $1
        for update skip locked",
        member,
    );
    Ok(claimed.fetch_optional(&mut *tx).await?.map(|_| tx))
}

/// Deletes one batch. Sent messages stay for the other member, without a sender. Returns false after the last batch.
///
/// A batch locks rows of one kind only, or in the common order: notifications first, then conversations, then the unread totals.
pub async fn erase_batch(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<bool, Error> {
    // With the lock, a concurrent addition to a group either commits before the last batch or is refused.
    conversations::locks::lock_members_exclusively(work.db, &[member]).await?;
    let more = notifier::withdraw_actor_batch(work, member).await?
        // In each batch, because a request that is running may still send some.
        || messages::attachments::erase::erase_batch(work, member).await?
        || attachments::reported::erase_batch(work.db, member).await?
        || conversations::erase::leave_batch(work.db, member).await?
        || groups::erase::leave_batch(work.db, member).await?
        || groups::departures::erase_batch(work.db, member).await?
        || reactions::erase_batch(work.db, member).await?
        || conversations::erase::anonymise_messages_batch(work.db, member).await?
        // Blocks decide which parts of conversations other members keep, so they are deleted later.
        || blocks::erase_batch(work.db, member).await?
        || notifier::erase_received_batch(work.db, member).await?;
    if !more {
        notifier::erase_member(work.db, member).await?;
        read_model::erase(work.db, member).await?;
        unread::erase(work.db, member).await?;
        conversations::allowance::erase(work.db, member).await?;
        sqlx::query!("delete from messaging.idempotency_keys where member_id = $1", member)
            .execute(&mut *work.db)
            .await?;
        super::reactivate(work.db, member).await?;
        sqlx::query!("delete from messaging.erasures where member_id = $1", member).execute(&mut *work.db).await?;
    }
    Ok(more)
}
