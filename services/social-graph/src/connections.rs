//! Connections and requests to connect: one row for each unordered pair.

pub mod adjacency;
pub mod allowance;
pub mod counts;
pub mod memory;
#[cfg(test)]
mod model;
pub mod suggestions;
pub mod transitions;

use chrono::{DateTime, Utc};
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, paging::PageRequest};

#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Status {
    Pending,
    Accepted,
    Rejected,
}

/// A pair's row. The requester may be either of the two.
#[derive(Clone, Debug)]
pub struct Connection {
    pub id: Uuid,
    pub requester_id: Uuid,
    pub recipient_id: Uuid,
    pub status: Status,
    pub requested_at: DateTime<Utc>,
    pub answered_at: Option<DateTime<Utc>>,
}

/// A position in a list of connections (by time of acceptance) or of requests (by time of the request).
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct ConnectionCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for ConnectionCursor {}

impl ConnectionCursor {
    pub const FIRST: Self = Self { at: DateTime::<Utc>::MAX_UTC, id: Uuid::max() };
}

pub type ListConnections = PageRequest<ConnectionCursor>;

/// Lists a member's accepted connections, newest first.
pub async fn list(db: &mut PgConnection, member: Uuid, query: &ListConnections) -> Result<Page<Connection>, Error> {
    // The member is on either side of the pair, so this merges a page from the index of each side.
    let rows = sqlx::query_as!(
        Connection,
        r#"select
            id as "id!", requester_id as "requester_id!", recipient_id as "recipient_id!", status as "status!: Status",
            requested_at as "requested_at!", answered_at
        from (
            (
                select id, requester_id, recipient_id, status, requested_at, answered_at
                from social_graph.connections
                where requester_id = $1
                    and status = 'accepted'
                    and not recipient_hidden
                    and (answered_at, id) < ($2, $3)
                order by answered_at desc, id desc
                limit $4
            )
            union all
            (
                select id, requester_id, recipient_id, status, requested_at, answered_at
                from social_graph.connections
                where recipient_id = $1
                    and status = 'accepted'
                    and not requester_hidden
                    and (answered_at, id) < ($2, $3)
                order by answered_at desc, id desc
                limit $4
            )
        ) as sides
        order by answered_at desc, id desc
        limit $4"#,
        member,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |row| ConnectionCursor {
        at: row.answered_at.unwrap_or(row.requested_at),
        id: row.id,
    }))
}

/// Lists the requests that await the member's answer, newest first.
pub async fn list_pending(
    db: &mut PgConnection,
    member: Uuid,
    query: &ListConnections,
) -> Result<Page<Connection>, Error> {
    let rows = sqlx::query_as!(
        Connection,
        r#"select id, requester_id, recipient_id, status as "status: Status", requested_at, answered_at
        from social_graph.connections
        where recipient_id = $1
            and status = 'pending'
            and not requester_hidden
            and (requested_at, id) < ($2, $3)
        order by requested_at desc, id desc
        limit $4"#,
        member,
        query.after.at,
        query.after.id,
        query.size.to_fetch(),
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, query.size, |row| ConnectionCursor { at: row.requested_at, id: row.id }))
}

/// Returns the rows between a member and others, in any direction. Omits closed accounts and blocks.
pub async fn batch_find(db: &mut PgConnection, member: Uuid, others: &[Uuid]) -> Result<Vec<Connection>, Error> {
    let connections = sqlx::query_as!(
        Connection,
        r#"select c.id, c.requester_id, c.recipient_id, c.status as "status: Status", c.requested_at, c.answered_at
        from unnest($2::uuid[]) as other (id)
        join social_graph.connections c
            on least(c.requester_id, c.recipient_id) = least($1::uuid, other.id)
            and greatest(c.requester_id, c.recipient_id) = greatest($1::uuid, other.id)
        where not case when c.requester_id = $1 then c.recipient_hidden else c.requester_hidden end
            and not exists (
                select
                from social_graph.blocks
                where (blocker_id = $1 and blocked_id = other.id)
                    or (blocker_id = other.id and blocked_id = $1)
            )"#,
        member,
        others,
    )
    .fetch_all(db)
    .await?;
    Ok(connections)
}
