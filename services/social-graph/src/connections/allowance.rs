//! The allowance of requests to connect, which grows with the age of the account and with its connections.
//!
//! The caller holds [`crate::members::lock_pair`], so that concurrent requests of one member wait for each other.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use primitives::allowance::{Allowance, PERIOD};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// Answers come when the recipients read their requests.
const WAITING_RETRY: Duration = Duration::from_secs(3_600);

/// Counts a request that was made.
///
/// # Errors
/// [`Error::RequestsOfDay`] or [`Error::RequestsWaiting`]: the caller must roll back.
pub async fn count_request(db: &mut PgConnection, member: Uuid, scale: u32, now: DateTime<Utc>) -> Result<(), Error> {
    let sent = sqlx::query!(
        r#"select
            coalesce((select connections from social_graph.member_counts where member_id = $1), 0) as "accepted!",
            (select count(*) from social_graph.connections where requester_id = $1 and status = 'pending') as "waiting!",
            greatest(allowance_full_at, $2) as "full_at!"
        from social_graph.members
        where member_id = $1"#,
        member,
        now,
    )
    .fetch_one(&mut *db)
    .await?;
    let allowance = Allowance::of(member, sent.accepted, scale, now);
    if sent.waiting > allowance.waiting {
        return Err(Error::RequestsWaiting { retry_after: WAITING_RETRY });
    }
    // A clock that was set back must not stop the member for longer than a day.
    let full_at = sent.full_at.min(now + PERIOD) + allowance.step();
    let excess = full_at - now - PERIOD;
    if excess > TimeDelta::zero() {
        return Err(Error::RequestsOfDay { retry_after: excess.to_std().unwrap_or_default() });
    }
    sqlx::query!("update social_graph.members set allowance_full_at = $2 where member_id = $1", member, full_at)
        .execute(db)
        .await?;
    Ok(())
}
