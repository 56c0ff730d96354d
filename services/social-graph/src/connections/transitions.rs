//! The state transitions of a connection. Each is one conditional statement whose result says what happened; the counts
//! change in the same transaction.
//!
//! The statements lock the pair's row before they read it, so a transition that waited sees the committed state. A request
//! also depends on blocks and on closed accounts, which are other rows: [`members::lock_pair`] serialises it with their
//! writers. Lock order: members, connections, counts.

use chrono::{DateTime, TimeDelta, Utc};
use outbox::UnitOfWork;
use uuid::Uuid;

use super::{
    Connection, Status, allowance,
    counts::{self, CountDelta},
};
use crate::{error::Error, members, publishing};

/// The time after a rejection before the requester may ask the same member again.
const REQUEST_COOLDOWN: TimeDelta = TimeDelta::days(30);

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

    fn into_connection(self) -> Connection {
        let Self { id, requester_id, recipient_id, status, requested_at, answered_at, .. } = self;
        Connection { id, requester_id, recipient_id, status, requested_at, answered_at }
    }
}

/// Requests a connection with `other`, or accepts their pending request. False when the request existed. `scale` multiplies the
/// allowance of requests.
pub async fn request(
    work: &mut UnitOfWork<'_>,
    member: Uuid,
    other: Uuid,
    scale: u32,
) -> Result<(Connection, bool), Error> {
    members::lock_pair(work, member, other).await?;
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
        work.ids.owned_by(member),
        member,
        other,
        work.now,
        work.now - REQUEST_COOLDOWN,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    match (row.moved, row.status) {
        (true, Status::Accepted) => Ok((finish_acceptance(work, row).await?, true)),
        (true, _) => {
            counts::change(work.db, row.count_deltas(0, 1)).await?;
            allowance::count_request(work, member, scale).await?;
            publishing::publish_requested(work, row.id, row.requester_id, row.recipient_id).await?;
            Ok((row.into_connection(), true))
        }
        (false, Status::Pending) => Ok((row.into_connection(), false)),
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
pub async fn answer(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, answer: Answer) -> Result<Connection, Error> {
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
        work.now,
    )
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::ConnectionNotFound)?;
    match (row.moved, row.status) {
        (true, Status::Accepted) => finish_acceptance(work, row).await,
        (true, _) => finish_removal(work, row).await,
        (false, _) if row.recipient_id != member => Err(Error::NotRecipient),
        (false, status) if status == answer.status() => Ok(row.into_connection()),
        (false, _) => Err(Error::AlreadyAnswered),
    }
}

/// Withdraws the member's own request or removes their accepted connection.
pub async fn remove(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
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
    .fetch_optional(&mut *work.db)
    .await?
    .ok_or(Error::ConnectionNotFound)?;
    match (row.moved, row.status) {
        (true, _) => finish_removal(work, row).await.map(drop),
        (false, Status::Pending) => Err(Error::NotRequester),
        (false, _) => Err(Error::ConnectionNotFound),
    }
}

/// Removes the request or connection of a pair for a block. A rejection stays: otherwise a rejected requester could ask
/// again after blocking and unblocking. The caller holds [`members::lock_pair`].
pub async fn remove_for_block(work: &mut UnitOfWork<'_>, member: Uuid, other: Uuid) -> Result<(), Error> {
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
    .fetch_optional(&mut *work.db)
    .await?;
    match removed {
        Some(row) => finish_removal(work, row).await.map(drop),
        None => Ok(()),
    }
}

async fn finish_acceptance(work: &mut UnitOfWork<'_>, row: Row) -> Result<Connection, Error> {
    counts::change(work.db, row.count_deltas(1, -1)).await?;
    publishing::publish_accepted(work, row.id, row.requester_id, row.recipient_id).await?;
    Ok(row.into_connection())
}

/// Finishes the end of a connection or of a request, which a rejection is too.
async fn finish_removal(work: &mut UnitOfWork<'_>, row: Row) -> Result<Connection, Error> {
    let deltas = match row.status {
        Status::Accepted => row.count_deltas(-1, 0),
        Status::Pending | Status::Rejected => row.count_deltas(0, -1),
    };
    counts::change(work.db, deltas).await?;
    publishing::publish_removed(work, row.id, row.requester_id, row.recipient_id).await?;
    Ok(row.into_connection())
}
