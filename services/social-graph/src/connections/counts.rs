//! Stored totals of each member's connections and pending requests.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Error;

/// A change of one member's counts.
#[derive(Clone, Copy, Debug)]
pub struct CountDelta {
    pub member: Uuid,
    pub connections: i64,
    pub requests: i64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub connections: i64,
    pub requests: i64,
}

pub async fn get(db: &mut PgConnection, member: Uuid) -> Result<Counts, Error> {
    let counts = sqlx::query_as!(
        Counts,
        "select connections, requests
        from social_graph.member_counts
        where member_id = $1",
        member,
    )
    .fetch_optional(db)
    .await?;
    Ok(counts.unwrap_or_default())
}

/// Changes the counts of both sides of a pair, locked in the order of their ids.
pub async fn change(db: &mut PgConnection, deltas: [CountDelta; 2]) -> Result<(), Error> {
    let deltas: Vec<CountDelta> =
        deltas.into_iter().filter(|delta| (delta.connections, delta.requests) != (0, 0)).collect();
    if deltas.is_empty() {
        return Ok(());
    }
    let (members, connections, requests) = columns(&deltas);
    // Postgres evaluates the check constraints on the proposed row before it detects the conflict, so a decrement must not
    // appear in it: hence `greatest`, and the subselects that read the real change.
    sqlx::query!(
        "with changes as materialized (
            select member_id, connections, requests
            from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as change (member_id, connections, requests)
        )
        insert into social_graph.member_counts as kept (member_id, connections, requests)
        select member_id, greatest(connections, 0), greatest(requests, 0)
        from changes
        order by member_id
        on conflict (member_id) do update
        set
            connections = kept.connections + (select c.connections from changes c where c.member_id = kept.member_id),
            requests = kept.requests + (select c.requests from changes c where c.member_id = kept.member_id)",
        &members,
        &connections,
        &requests,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Adds to the counts of many members, each listed once. Creates missing rows.
pub async fn add(db: &mut PgConnection, deltas: &[CountDelta]) -> Result<(), Error> {
    let (members, connections, requests) = columns(deltas);
    sqlx::query!(
        "insert into social_graph.member_counts as kept (member_id, connections, requests)
        select member_id, connections, requests
        from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as more (member_id, connections, requests)
        where (connections, requests) <> (0, 0)
        order by member_id
        on conflict (member_id) do update
        set
            connections = kept.connections + excluded.connections,
            requests = kept.requests + excluded.requests",
        &members,
        &connections,
        &requests,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Subtracts from the counts of many members, each listed once. A separate statement, so that it sees rows committed while
/// the statement that found `deltas` waited for locks.
pub async fn subtract(db: &mut PgConnection, deltas: &[CountDelta]) -> Result<(), Error> {
    let (members, connections, requests) = columns(deltas);
    sqlx::query!(
        "with locked as (
            select k.member_id, less.connections, less.requests
            from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as less (member_id, connections, requests)
            join social_graph.member_counts k on k.member_id = less.member_id
            where (less.connections, less.requests) <> (0, 0)
            order by k.member_id
            for update of k
        )
        update social_graph.member_counts k
        set
            connections = k.connections - l.connections,
            requests = k.requests - l.requests
        from locked l
        where k.member_id = l.member_id",
        &members,
        &connections,
        &requests,
    )
    .execute(db)
    .await?;
    Ok(())
}

fn columns(deltas: &[CountDelta]) -> (Vec<Uuid>, Vec<i64>, Vec<i64>) {
    let members = deltas.iter().map(|delta| delta.member).collect();
    let connections = deltas.iter().map(|delta| delta.connections).collect();
    let requests = deltas.iter().map(|delta| delta.requests).collect();
    (members, connections, requests)
}
