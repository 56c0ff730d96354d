//! Counts kept of a member's lists: what pages of connections and of requests are told with.

use sqlx::PgConnection;
use uuid::Uuid;

/// By how much one member's counts change.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub member: Uuid,
    pub connections: i64,
    pub requests: i64,
}

/// What is kept of a member.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub connections: i64,
    pub requests: i64,
}

/// The member's counts.
pub async fn of(db: &mut PgConnection, member: Uuid) -> Result<Counts, sqlx::Error> {
    let kept = sqlx::query_as!(
        Counts,
        "select connections, requests
        from social_graph.member_counts
        where member_id = $1",
        member,
    )
    .fetch_optional(db)
    .await?;
    Ok(kept.unwrap_or_default())
}

/// Changes the counts of both sides of a pair, locked in the order of their ids.
pub async fn change(db: &mut PgConnection, changes: [Change; 2]) -> Result<(), sqlx::Error> {
    let changes: Vec<Change> = changes.into_iter().filter(|c| (c.connections, c.requests) != (0, 0)).collect();
    if changes.is_empty() {
        return Ok(());
    }
    let members: Vec<Uuid> = changes.iter().map(|change| change.member).collect();
    let connections: Vec<i64> = changes.iter().map(|change| change.connections).collect();
    let requests: Vec<i64> = changes.iter().map(|change| change.requests).collect();
    // A row that is not there yet only grows. One that is must not be offered a negative count, which the checks would
    // refuse before they see that it is there: hence `greatest`, and the look back at the change.
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

/// One connection or request of somebody who is hidden, shown again or gone: whose counts it is part of.
pub struct Counted {
    pub member: Uuid,
    pub connections: i64,
    pub requests: i64,
}

/// Counts for many what they have again; each is named once. Some may never have been counted for.
pub async fn add(db: &mut PgConnection, counted: &[Counted]) -> Result<(), sqlx::Error> {
    let (members, connections, requests) = columns(counted);
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

/// Takes from the counts of many what they have no more; each is named once. A statement of its own: it sees the rows of
/// those for whom the one that found `counted` had to wait.
pub async fn subtract(db: &mut PgConnection, counted: &[Counted]) -> Result<(), sqlx::Error> {
    let (members, connections, requests) = columns(counted);
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

fn columns(counted: &[Counted]) -> (Vec<Uuid>, Vec<i64>, Vec<i64>) {
    let members = counted.iter().map(|counted| counted.member).collect();
    let connections = counted.iter().map(|counted| counted.connections).collect();
    let requests = counted.iter().map(|counted| counted.requests).collect();
    (members, connections, requests)
}
