//! The allowance of requests to connect and of invitations to members who are no connections. It grows with the age of
//! the account and with its connections. Both share the allowance of a day. A new account also has an allowance of
//! follows.
//!
//! The caller holds the lock of the member's row ([`crate::members::lock_pair`], [`crate::members::lock_existing`]), so that
//! concurrent requests of one member wait for each other.

use std::time::Duration;

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::allowance::{self, Allowance};
use uuid::Uuid;

use crate::error::Error;

/// Follows of a new account in a day.
const FOLLOWS_OF_NEW_ACCOUNT: i64 = 20;
/// Answers come when the recipients read their requests.
const WAITING_RETRY: Duration = Duration::from_secs(3_600);

/// Counts a request that was made.
///
/// # Errors
/// [`Error::RequestsOfDay`] or [`Error::RequestsWaiting`]: the caller must roll back.
pub async fn count_request(work: &mut UnitOfWork<'_>, member: Uuid, scale: u32) -> Result<(), Error> {
    let sent = read(work, member).await?;
    let allowance = Allowance::of(member, sent.accepted, scale, work.now);
    if sent.waiting > allowance.waiting {
        return Err(Error::RequestsWaiting { retry_after: WAITING_RETRY });
    }
    let full = count_of_day(work, member, &sent, allowance).await?;
    full.map_or(Ok(()), |retry_after| Err(Error::RequestsOfDay { retry_after }))
}

/// Counts an invitation that was made, unless the invited member is a connection.
///
/// # Errors
/// [`Error::InvitationsOfDay`]: the caller must roll back.
pub async fn count_invitation(work: &mut UnitOfWork<'_>, member: Uuid, invited: Uuid, scale: u32) -> Result<(), Error> {
    let connected = sqlx::query_scalar!(
        r#"select exists (
            select
            from social_graph.connections
            where least(requester_id, recipient_id) = least($1::uuid, $2::uuid)
                and greatest(requester_id, recipient_id) = greatest($1::uuid, $2::uuid)
                and status = 'accepted'
        ) as "connected!""#,
        member,
        invited,
    );
    if connected.fetch_one(&mut *work.db).await? {
        return Ok(());
    }
    let sent = read(work, member).await?;
    let allowance = Allowance::of(member, sent.accepted, scale, work.now);
    let full = count_of_day(work, member, &sent, allowance).await?;
    full.map_or(Ok(()), |retry_after| Err(Error::InvitationsOfDay { retry_after }))
}

/// Counts a follow, if the account is new.
///
/// # Errors
/// [`Error::FollowsOfDay`]: the caller must roll back.
pub async fn count_follow(work: &mut UnitOfWork<'_>, member: Uuid, scale: u32) -> Result<(), Error> {
    let known = sqlx::query!(
        r#"select
            coalesce(follows_full_at, $2) as "full_at!",
            exists (select from social_graph.member_counts where member_id = $1 and connections > 0) as "connected!"
        from social_graph.members
        where member_id = $1"#,
        member,
        work.now,
    );
    let known = known.fetch_one(&mut *work.db).await?;
    if !allowance::is_new_account(member, known.connected, work.now) {
        return Ok(());
    }
    let full_at = allowance::take(known.full_at, 1, FOLLOWS_OF_NEW_ACCOUNT * i64::from(scale), work.now)
        .map_err(|retry_after| Error::FollowsOfDay { retry_after })?;
    sqlx::query!("update social_graph.members set follows_full_at = $2 where member_id = $1", member, full_at)
        .execute(&mut *work.db)
        .await?;
    Ok(())
}

/// The connections of a member, the sent requests that wait, and the use of the daily allowance.
struct Sent {
    accepted: i64,
    waiting: i64,
    /// The time at which the whole allowance of a day is free again.
    full_at: DateTime<Utc>,
}

async fn read(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<Sent, Error> {
    let sent = sqlx::query_as!(
        Sent,
        r#"select
            coalesce((select connections from social_graph.member_counts where member_id = $1), 0) as "accepted!",
            (select count(*) from social_graph.connections where requester_id = $1 and status = 'pending') as "waiting!",
            greatest(allowance_full_at, $2) as "full_at!"
        from social_graph.members
        where member_id = $1"#,
        member,
        work.now,
    );
    Ok(sent.fetch_one(&mut *work.db).await?)
}

/// Takes one from the allowance of a day. When none is left, returns the time after which the next one is free.
async fn count_of_day(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    sent: &Sent,
    allowance: Allowance,
) -> Result<Option<Duration>, Error> {
    let full_at = match allowance::take(sent.full_at, 1, allowance.per_day, work.now) {
        Ok(full_at) => full_at,
        Err(retry_after) => return Ok(Some(retry_after)),
    };
    sqlx::query!("update social_graph.members set allowance_full_at = $2 where member_id = $1", member, full_at)
        .execute(&mut *work.db)
        .await?;
    Ok(None)
}
