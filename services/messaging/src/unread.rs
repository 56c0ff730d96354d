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

/// The changes of the totals in a transaction. Rows are locked after all conversations and notifications, in the order
/// of the members, so that no two transactions deadlock.
#[derive(Debug, Default)]
#[must_use = "nothing is stored before `apply`"]
pub struct UnreadChanges(BTreeMap<Uuid, UnreadDelta>);

impl UnreadChanges {
    pub fn add(&mut self, member: Uuid, delta: UnreadDelta) {
        *self.0.entry(member).or_default() += delta;
    }

    /// Applies the changes with one statement, however many members.
    pub async fn apply(self, db: &mut PgConnection) -> Result<(), Error> {
        let changed = || self.0.iter().filter(|(_, delta)| **delta != UnreadDelta::default());
        let members: Vec<Uuid> = changed().map(|(member, _)| *member).collect();
        if members.is_empty() {
            return Ok(());
        }
        let messages: Vec<i32> = changed().map(|(_, delta)| delta.messages).collect();
        let requests: Vec<i32> = changed().map(|(_, delta)| delta.requests).collect();
        let notifications: Vec<i32> = changed().map(|(_, delta)| delta.notifications).collect();
        // Postgres checks the constraints of the inserted row before it finds the conflict, so the row must be valid.
        sqlx::query!(
            "insert into messaging.unread_counts as stored (member_id, messages, requests, notifications)
            select d.member_id, greatest(d.messages, 0), greatest(d.requests, 0), greatest(d.notifications, 0)
            from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[])
                as d (member_id, messages, requests, notifications)
            order by d.member_id
            on conflict (member_id) do update
            set (messages, requests, notifications) = (
                select stored.messages + d.messages, stored.requests + d.requests, stored.notifications + d.notifications
                from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[])
                    as d (member_id, messages, requests, notifications)
                where d.member_id = stored.member_id
            )",
            &members,
            &messages,
            &requests,
            &notifications,
        )
        .execute(db)
        .await?;
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

/// Returns the totals of a member.
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
