//! The unread totals of members, stored in `messaging.unread_counts` and updated in the transaction of each change.

use std::{collections::BTreeMap, ops::AddAssign};

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// The unread totals of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadTotals {
    /// Messages in the inbox.
    pub messages: i32,
    /// Requests with unread messages.
    pub requests: i32,
    /// Notifications, not their causes.
    pub notifications: i32,
}

/// The change of the totals of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnreadDelta {
    pub messages: i32,
    pub requests: i32,
    pub notifications: i32,
}

impl AddAssign for UnreadDelta {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.requests += other.requests;
        self.notifications += other.notifications;
    }
}

/// The changes of a transaction. The rows are locked after all conversations and notifications, in the order of the
/// members, so that no two transactions deadlock.
#[derive(Debug, Default)]
#[must_use = "nothing is stored before `apply`"]
pub struct UnreadChanges(BTreeMap<Uuid, UnreadDelta>);

impl UnreadChanges {
    pub fn add(&mut self, member: Uuid, delta: UnreadDelta) {
        *self.0.entry(member).or_default() += delta;
    }

    pub async fn apply(self, db: &mut PgConnection) -> Result<(), Error> {
        for (member, delta) in self.0 {
            update(&mut *db, member, delta).await?;
        }
        Ok(())
    }
}

/// Changes the totals of one member. This is the last change of a transaction. A constraint refuses negative totals.
pub async fn update(db: &mut PgConnection, member: Uuid, delta: UnreadDelta) -> Result<(), Error> {
    if delta == UnreadDelta::default() {
        return Ok(());
    }
    // Postgres checks the constraints of the inserted row before it finds the conflict, so the row must be valid.
    sqlx::query!(
        "insert into messaging.unread_counts as stored (member_id, messages, requests, notifications)
        values ($1, greatest($2::integer, 0), greatest($3::integer, 0), greatest($4::integer, 0))
        on conflict (member_id) do update
        set
            messages = stored.messages + $2,
            requests = stored.requests + $3,
            notifications = stored.notifications + $4",
        member,
        delta.messages,
        delta.requests,
        delta.notifications,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The totals of a member.
pub async fn get(db: &mut PgConnection, member: Uuid) -> Result<UnreadTotals, Error> {
    let totals = sqlx::query_as!(
        UnreadTotals,
        "select messages, requests, notifications
        from messaging.unread_counts
        where member_id = $1",
        member,
    )
    .fetch_optional(db)
    .await?;
    Ok(totals.unwrap_or_default())
}

/// Deletes the totals of an erased member.
pub async fn erase(db: &mut PgConnection, member: Uuid) -> Result<(), Error> {
    sqlx::query!("delete from messaging.unread_counts where member_id = $1", member).execute(db).await?;
    Ok(())
}
