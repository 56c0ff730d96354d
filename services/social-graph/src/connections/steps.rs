//! How two members come to be connected and part: each step one conditional statement, and what came back of it tells
//! what happened. Counts follow in the same transaction.
//!
//! The statements lock the pair's row before they read it, so a step that waited for another one sees what that one
//! did. A request also depends on blocks and on whether an account is closed, which are other rows: it waits for those
//! who write them with [`members::lock_pair`]. Everybody locks members, then connections, then counts.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Connection, Status};
use crate::{
    counts::{self, Change},
    error::Error,
    members,
};

/// Whoever was rejected may ask the same member again this much later.
const PATIENCE: TimeDelta = TimeDelta::days(30);

/// What others are told of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Requested,
    Accepted,
    Removed,
}

/// Where a pair stands after somebody wished for something, and what that changed.
#[derive(Debug)]
pub struct Step {
    pub connection: Connection,
    /// None when it stood so already.
    pub turn: Option<Turn>,
}

/// A pair as its lock found it, or as the step left it.
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
    /// Counts of both sides, by how many connections and how many of the recipient's requests there are more now. Who
    /// has closed their account is in nobody's count.
    fn changes(&self, connections: i64, requests: i64) -> [Change; 2] {
        let shown = |hidden: bool, n: i64| if hidden { 0 } else { n };
        [
            Change { member: self.requester_id, connections: shown(self.recipient_hidden, connections), requests: 0 },
            Change {
                member: self.recipient_id,
                connections: shown(self.requester_hidden, connections),
                requests: shown(self.requester_hidden, requests),
            },
        ]
    }

    fn step(self, turn: Option<Turn>) -> Step {
        let Self { id, requester_id, recipient_id, status, requested_at, answered_at, .. } = self;
        Step { connection: Connection { id, requester_id, recipient_id, status, requested_at, answered_at }, turn }
    }
}

/// Asks `other` to connect; accepts where they asked first.
pub async fn request(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    other: Uuid,
    now: DateTime<Utc>,
) -> Result<Step, Error> {
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
        now - PATIENCE,
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::MemberNotFound)?;
    match (row.moved, row.status) {
        (true, Status::Accepted) => {
            counts::change(db, row.changes(1, -1)).await?;
            Ok(row.step(Some(Turn::Accepted)))
        }
        (true, _) => {
            counts::change(db, row.changes(0, 1)).await?;
            Ok(row.step(Some(Turn::Requested)))
        }
        (false, Status::Pending) => Ok(row.step(None)),
        (false, Status::Accepted) => Err(Error::AlreadyConnected),
        (false, Status::Rejected) => Err(Error::AskedTooSoon),
    }
}

/// A recipient's answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Accept,
    Reject,
}

impl Answer {
    const fn status(self) -> Status {
        match self {
            Self::Accept => Status::Accepted,
            Self::Reject => Status::Rejected,
        }
    }
}

/// Answers the request `id`, once.
pub async fn answer(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    answer: Answer,
    now: DateTime<Utc>,
) -> Result<Step, Error> {
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
            counts::change(db, row.changes(1, -1)).await?;
            Ok(row.step(Some(Turn::Accepted)))
        }
        (true, _) => {
            counts::change(db, row.changes(0, -1)).await?;
            Ok(row.step(Some(Turn::Removed)))
        }
        (false, _) if row.recipient_id != member => Err(Error::NotRecipient),
        (false, status) if status == answer.status() => Ok(row.step(None)),
        (false, _) => Err(Error::AlreadyAnswered),
    }
}

/// Withdraws the member's own request, or removes an accepted connection of theirs.
pub async fn remove(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<Step, Error> {
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
        (true, _) => part(db, row).await,
        (false, Status::Pending) => Err(Error::NotRequester),
        (false, _) => Err(Error::ConnectionNotFound),
    }
}

/// Ends what is between two members for a block: a request or a connection goes. A rejection stays, else one who was
/// rejected could ask again by blocking and lifting it. The caller holds [`members::lock_pair`].
pub async fn sever(db: &mut PgConnection, member: Uuid, other: Uuid) -> Result<Option<Step>, Error> {
    let severed = sqlx::query_as!(
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
    match severed {
        Some(row) => Ok(Some(part(db, row).await?)),
        None => Ok(None),
    }
}

/// A row is gone: the counts say so, and others are told.
async fn part(db: &mut PgConnection, row: Row) -> Result<Step, Error> {
    let changes = match row.status {
        Status::Accepted => row.changes(-1, 0),
        Status::Pending | Status::Rejected => row.changes(0, -1),
    };
    counts::change(db, changes).await?;
    Ok(row.step(Some(Turn::Removed)))
}
