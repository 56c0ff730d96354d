//! The state transitions of a connection. Each is one conditional statement whose result says what happened; the counts
//! change in the same transaction.
//!
//! The statements lock the pair's row before they read it, so a transition that waited sees the committed state. A request
//! also depends on blocks and on closed accounts, which are other rows: [`members::lock_pair`] serialises it with their
//! writers. Lock order: members, connections, counts.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    Connection, Status,
    counts::{self, CountDelta},
};
use crate::{error::Error, members};

/// The time after a rejection before the requester may ask the same member again.
const REQUEST_COOLDOWN: TimeDelta = TimeDelta::days(30);

/// The published part of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionChange {
    Requested,
    Accepted,
    Removed,
}

/// A pair's row after a call, and what the call changed.
#[derive(Debug)]
pub struct Transition {
    pub connection: Connection,
    /// `None` when the row was in this state before.
    pub change: Option<ConnectionChange>,
}

/// A pair's row, locked; `moved` says whether the statement changed it.
struct Row {
    id: Uuid,
    requester_id: Uuid,
    recipient_id: Uuid,
    status: Status,
    requested_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
    requester_hidden: bool,
    recipient_hidden: bool,
    moved: bool,
}

impl Row {
    /// The count changes of both sides, given the change in connections and in the recipient's requests. A hidden member
    /// is not counted.
    fn count_deltas(&self, connections: i64, requests: i64) -> [CountDelta; 2] {
        let visible = |hidden: bool, n: i64| if hidden { 0 } else { n };
        [
            CountDelta {
                member: self.requester_id,
                connections: visible(self.recipient_hidden, connections),
                requests: 0,
            },
            CountDelta {
                member: self.recipient_id,
                connections: visible(self.requester_hidden, connections),
                requests: visible(self.requester_hidden, requests),
            },
        ]
    }

    fn into_transition(self, change: Option<ConnectionChange>) -> Transition {
        let Self { id, requester_id, recipient_id, status, requested_at, answered_at, .. } = self;
        Transition {
            connection: Connection { id, requester_id, recipient_id, status, requested_at, answered_at },
            change,
        }
    }
}

/// Requests a connection with `other`, or accepts their pending request.
pub async fn request(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    other: Uuid,
    now: DateTime<Utc>,
) -> Result<Transition, Error> {
    members::lock_pair(db, member, other, now).await?;
    let row = sqlx::query_as!(
        Row,
        r#"with open as (
            select me.hidden as requester_hidden
            from social_graph.members me, social_graph.members other
            where me.member_id = $2
                and other.member_id = $3
                and not other.hidden
                and not exists (
                    select
                    from social_graph.blocks
                    where (blocker_id = $2 and blocked_id = $3)
                        or (blocker_id = $3 and blocked_id = $2)
                )
        ),
        moved as (
            insert into social_graph.connections as c
                (id, requester_id, recipient_id, status, requested_at, requester_hidden)
            select $1, $2, $3, 'pending', $4, requester_hidden
            from open
            on conflict (least(requester_id, recipient_id), greatest(requester_id, recipient_id)) do update
            set
                requester_id = case c.status when 'pending' then c.requester_id else $2 end,
                recipient_id = case c.status when 'pending' then c.recipient_id else $3 end,
                requester_hidden = case c.status when 'pending' then c.requester_hidden else excluded.requester_hidden end,
                recipient_hidden = case c.status when 'pending' then c.recipient_hidden else false end,
                requested_at = case c.status when 'pending' then c.requested_at else $4 end,
                answered_at = case c.status when 'pending' then $4 end,
                status = case c.status when 'pending' then 'accepted' else 'pending' end
            where (c.status = 'pending' and c.recipient_id = $2)
                or (c.status = 'rejected' and (c.recipient_id = $2 or c.answered_at <= $5))
            returning
                id, requester_id, recipient_id, status, requested_at, answered_at, requester_hidden, recipient_hidden
        ),
        standing as (
            select
                c.id, c.requester_id, c.recipient_id, c.status, c.requested_at, c.answered_at, c.requester_hidden,
                c.recipient_hidden
            from social_graph.connections c, open
            where least(c.requester_id, c.recipient_id) = least($2, $3)
                and greatest(c.requester_id, c.recipient_id) = greatest($2, $3)
            for update of c
        )
        select
            id as "id!", requester_id as "requester_id!", recipient_id as "recipient_id!",
            status as "status!: Status", requested_at as "requested_at!", answered_at,
            requester_hidden as "requester_hidden!", recipient_hidden as "recipient_hidden!", moved as "moved!"
        from (
            select *, true as moved from moved
            union all
            select *, false from standing
        ) as outcome
        limit 1"#,
        id,
        member,
        other,
        now,
        now - REQUEST_COOLDOWN,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    match (row.moved, row.status) {
        (true, Status::Accepted) => {
            counts::change(db, row.count_deltas(1, -1)).await?;
            Ok(row.into_transition(Some(ConnectionChange::Accepted)))
        }
        (true, _) => {
            counts::change(db, row.count_deltas(0, 1)).await?;
            Ok(row.into_transition(Some(ConnectionChange::Requested)))
        }
        (false, Status::Pending) => Ok(row.into_transition(None)),
        (false, Status::Accepted) => Err(Error::AlreadyConnected),
        (false, Status::Rejected) => Err(Error::AskedTooSoon),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Reject,
}

pub struct AnswerConnection {
    pub connection: Uuid,
    pub answer: Answer,
}

impl Answer {
    const fn status(self) -> Status {
        match self {
            Self::Accept => Status::Accepted,
            Self::Reject => Status::Rejected,
        }
    }
}

/// Answers the pending request `id`.
pub async fn answer(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    answer: Answer,
    now: DateTime<Utc>,
) -> Result<Transition, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"with standing as (
            select
                id, requester_id, recipient_id, status, requested_at, answered_at, requester_hidden, recipient_hidden
            from social_graph.connections
            where id = $1
                and (requester_id = $2 or recipient_id = $2)
                and not case when requester_id = $2 then recipient_hidden else requester_hidden end
            for update
        ),
        moved as (
            update social_graph.connections c
            set
                status = case when $3 then 'accepted' else 'rejected' end,
                answered_at = $4
            from standing s
            where c.id = s.id
                and s.recipient_id = $2
                and s.status = 'pending'
            returning c.id, c.status, c.answered_at
        )
        select
            s.id, s.requester_id, s.recipient_id, coalesce(m.status, s.status) as "status!: Status", s.requested_at,
            coalesce(m.answered_at, s.answered_at) as answered_at, s.requester_hidden, s.recipient_hidden,
            m.id is not null as "moved!"
        from standing s
        left join moved m on true"#,
        id,
        member,
        answer == Answer::Accept,
        now,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::ConnectionNotFound)?;
    match (row.moved, row.status) {
        (true, Status::Accepted) => {
            counts::change(db, row.count_deltas(1, -1)).await?;
            Ok(row.into_transition(Some(ConnectionChange::Accepted)))
        }
        (true, _) => {
            counts::change(db, row.count_deltas(0, -1)).await?;
            Ok(row.into_transition(Some(ConnectionChange::Removed)))
        }
        (false, _) if row.recipient_id != member => Err(Error::NotRecipient),
        (false, status) if status == answer.status() => Ok(row.into_transition(None)),
        (false, _) => Err(Error::AlreadyAnswered),
    }
}

/// Withdraws the member's own request or removes their accepted connection.
pub async fn remove(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Transition, Error> {
    let row = sqlx::query_as!(
        Row,
        r#"with standing as (
            select
                id, requester_id, recipient_id, status, requested_at, answered_at, requester_hidden, recipient_hidden
            from social_graph.connections
            where id = $1
                and (requester_id = $2 or recipient_id = $2)
                and not case when requester_id = $2 then recipient_hidden else requester_hidden end
            for update
        ),
        moved as (
            delete from social_graph.connections c
            using standing s
            where c.id = s.id
                and (s.status = 'accepted' or (s.status = 'pending' and s.requester_id = $2))
            returning c.id
        )
        select
            s.id, s.requester_id, s.recipient_id, s.status as "status: Status", s.requested_at, s.answered_at,
            s.requester_hidden, s.recipient_hidden, m.id is not null as "moved!"
        from standing s
        left join moved m on true"#,
        id,
        member,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::ConnectionNotFound)?;
    match (row.moved, row.status) {
        (true, _) => finish_removal(db, row).await,
        (false, Status::Pending) => Err(Error::NotRequester),
        (false, _) => Err(Error::ConnectionNotFound),
    }
}

/// Removes the request or connection of a pair for a block. A rejection stays: otherwise a rejected requester could ask
/// again after blocking and unblocking. The caller holds [`members::lock_pair`].
pub async fn remove_for_block(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<Option<Transition>, Error> {
    let removed = sqlx::query_as!(
        Row,
        r#"delete from social_graph.connections
        where least(requester_id, recipient_id) = least($1::uuid, $2::uuid)
            and greatest(requester_id, recipient_id) = greatest($1::uuid, $2::uuid)
            and status <> 'rejected'
        returning
            id, requester_id, recipient_id, status as "status: Status", requested_at, answered_at, requester_hidden,
            recipient_hidden, true as "moved!""#,
        member,
        other,
    )
    .fetch_optional(&mut *db)
    .await?;
    match removed {
        Some(row) => Ok(Some(finish_removal(db, row).await?)),
        None => Ok(None),
    }
}

async fn finish_removal(db: &mut PgConnection, row: Row) -> Result<Transition, Error> {
    let deltas = match row.status {
        Status::Accepted => row.count_deltas(-1, 0),
        Status::Pending | Status::Rejected => row.count_deltas(0, -1),
    };
    counts::change(db, deltas).await?;
    Ok(row.into_transition(Some(ConnectionChange::Removed)))
}
