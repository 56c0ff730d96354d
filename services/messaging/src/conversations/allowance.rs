//! The allowance of message requests: first messages to members without a connection, and invitations of such members to groups.
//! It grows with the age of the account and with the conversations that others accepted.

use std::time::Duration;

use chrono::TimeDelta;
use outbox::UnitOfWork;
use primitives::allowance::{Allowance, MAX_ACCEPTED, PERIOD};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Answers come when the recipients read their requests.
const WAITING_RETRY: Duration = Duration::from_secs(3_600);

/// Counts `count` requests of a sender and keeps the sender's row of allowances locked, so that concurrent requests of
/// one sender wait for each other.
///
/// # Errors
/// [`Error::RequestsOfDay`] or [`Error::RequestsWaiting`]: the caller must roll back.
pub async fn count_requests(work: &mut UnitOfWork<'_>, sender: Uuid, count: usize, scale: u32) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    let now = work.now;
    // Locks the row even if it does not change.
    let before = sqlx::query_scalar!(
        "insert into messaging.request_allowances as a (member_id, full_at)
        values ($1, $2)
        on conflict (member_id) do update
        set full_at = greatest(a.full_at, $2)
        returning full_at",
        sender,
        now,
    )
    .fetch_one(&mut *work.db)
    .await?;
    let sent = sqlx::query!(
        r#"select
            (
                select count(*)
                from messaging.conversations
                where requested_by = $1
                    and last_seq > 0
            ) as "waiting!",
            (
                select count(*)
                from (
                    select
                    from messaging.participants p
                    join messaging.conversations c on c.id = p.conversation_id
                    where p.member_id = $1
                        and p.other_member_id is not null
                        and c.requested_by is null
                    limit $2
                ) as accepted
            ) as "accepted!""#,
        sender,
        MAX_ACCEPTED,
    )
    .fetch_one(&mut *work.db)
    .await?;
    let allowance = Allowance::of(sender, sent.accepted, scale, now);
    if sent.waiting > allowance.waiting {
        return Err(Error::RequestsWaiting { retry_after: WAITING_RETRY });
    }
    // A clock that was set back must not stop the sender for longer than a day.
    let full_at = before.min(now + PERIOD) + allowance.step() * i32::try_from(count).unwrap_or(i32::MAX);
    let excess = full_at - now - PERIOD;
    if excess > TimeDelta::zero() {
        return Err(Error::RequestsOfDay { retry_after: excess.to_std().unwrap_or_default() });
    }
    sqlx::query!("update messaging.request_allowances set full_at = $2 where member_id = $1", sender, full_at)
        .execute(&mut *work.db)
        .await?;
    Ok(())
}

/// Deletes the row of an erased member.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.request_allowances where member_id = $1", member).execute(db).await?;
    Ok(())
}
