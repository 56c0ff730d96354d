//! How much waits unread for a member: kept, not counted.

use std::{collections::BTreeMap, ops::AddAssign};

use sqlx::PgConnection;
use uuid::Uuid;

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Messages in the inbox.
    pub messages: i32,
    /// Requests with something unread.
    pub requests: i32,
    /// Notifications: groups, not causes.
    pub notifications: i32,
}

/// How much more waits than before, or less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    pub messages: i32,
    pub requests: i32,
    pub notifications: i32,
}

impl AddAssign for Delta {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.requests += other.requests;
        self.notifications += other.notifications;
    }
}

/// What a transaction changes for several members. These rows are locked last, after every conversation and
/// notification, and in the order of their ids: whoever did otherwise could wait for somebody who waits for them.
#[derive(Debug, Default)]
#[must_use = "nothing is kept before `keep`"]
pub struct Changes(BTreeMap<Uuid, Delta>);

impl Changes {
    /// Notes a change.
    pub fn note(&mut self, member: Uuid, delta: Delta) {
        *self.0.entry(member).or_default() += delta;
    }

    /// Keeps what was noted.
    pub async fn keep(self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        for (member, delta) in self.0 {
            add(&mut *db, member, delta).await?;
        }
        Ok(())
    }
}

/// Keeps one member's change: the last thing a transaction does. A count that would fall below nothing is refused.
pub async fn add(db: &mut PgConnection, member: Uuid, delta: Delta) -> Result<(), sqlx::Error> {
    if delta == Delta::default() {
        return Ok(());
    }
    // The row proposed is checked before the conflict is found: it must be a possible one.
    sqlx::query!(
        "insert into messaging.unread_counts as kept (member_id, messages, requests, notifications)
        values ($1, greatest($2::integer, 0), greatest($3::integer, 0), greatest($4::integer, 0))
        on conflict (member_id) do update
        set
            messages = kept.messages + $2,
            requests = kept.requests + $3,
            notifications = kept.notifications + $4",
        member,
        delta.messages,
        delta.requests,
        delta.notifications,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What waits for a member.
pub async fn of(db: &mut PgConnection, member: Uuid) -> Result<Unread, sqlx::Error> {
    let kept = sqlx::query_as!(
        Unread,
        "select messages, requests, notifications
        from messaging.unread_counts
        where member_id = $1",
        member,
    )
    .fetch_optional(db)
    .await?;
    Ok(kept.unwrap_or_default())
}

/// Forgets what waits for a member who is gone.
pub async fn forget(db: &mut PgConnection, member: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from messaging.unread_counts where member_id = $1", member).execute(db).await?;
    Ok(())
}
