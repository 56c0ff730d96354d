//! Deactivated accounts: hidden from every list and count until they are reactivated.

mod erase;

use outbox::UnitOfWork;
use sqlx::PgConnection;
use uuid::Uuid;

pub use erase::erase;

use crate::{
    connections::counts::{self, CountDelta},
    error::Error,
    publishing,
};

/// Hides a member on every row that names them and corrects the counts that include those rows. Idempotent.
pub async fn deactivate(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    set_hidden(work.db, member, true).await?;
    publishing::publish_visibility(work, &[member], true).await
}

/// Reverses [`deactivate`]. Idempotent.
pub async fn reactivate(work: &mut UnitOfWork<'_>, member: Uuid) -> Result<(), Error> {
    set_hidden(work.db, member, false).await?;
    publishing::publish_visibility(work, &[member], false).await
}

/// Reactivates every hidden member. Runs before a snapshot of auth, which lists the closed accounts again.
pub async fn reactivate_all(work: &mut UnitOfWork<'_>) -> Result<(), Error> {
    let hidden = sqlx::query_scalar!("select member_id from social_graph.members where hidden order by member_id");
    let hidden = hidden.fetch_all(&mut *work.db).await?;
    for member in &hidden {
        set_hidden(work.db, *member, false).await?;
    }
    publishing::publish_visibility(work, &hidden, false).await
}

async fn set_hidden(db: &mut PgConnection, member: Uuid, hidden: bool) -> Result<(), Error> {
    // Connection requests wait for the lock on this row, so none can add a row of the member meanwhile.
    let updated = sqlx::query!(
        "insert into social_graph.members as known (member_id, hidden)
        values ($1, $2)
        on conflict (member_id) do update
        set hidden = excluded.hidden
        where known.hidden <> excluded.hidden",
        member,
        hidden,
    )
    .execute(&mut *db)
    .await?;
    if updated.rows_affected() == 0 {
        return Ok(());
    }
    let count_change = if hidden { -1_i64 } else { 1 };
    hide_connections(db, member, hidden).await?;
    hide_memberships(db, member, hidden, count_change).await?;
    hide_attendances(db, member, hidden, count_change).await
}

async fn hide_connections(db: &mut PgConnection, member: Uuid, hidden: bool) -> Result<(), Error> {
    let deltas = sqlx::query_as!(
        CountDelta,
        r#"update social_graph.connections
        set
            requester_hidden = case when requester_id = $1 then $2 else requester_hidden end,
            recipient_hidden = case when recipient_id = $1 then $2 else recipient_hidden end
        where (least(requester_id, recipient_id) = $1 or greatest(requester_id, recipient_id) = $1)
            and case when requester_id = $1 then requester_hidden else recipient_hidden end <> $2
        returning
            case when requester_id = $1 then recipient_id else requester_id end as "member!",
            case when status = 'accepted' then 1::bigint else 0 end as "connections!",
            case when status = 'pending' and requester_id = $1 then 1::bigint else 0 end as "requests!""#,
        member,
        hidden,
    )
    .fetch_all(&mut *db)
    .await?;
    if hidden { counts::subtract(db, &deltas).await } else { counts::add(db, &deltas).await }
}

async fn hide_memberships(db: &mut PgConnection, member: Uuid, hidden: bool, count_change: i64) -> Result<(), Error> {
    sqlx::query!(
        "with locked as (
            select c.id
            from social_graph.communities c
            join social_graph.memberships m on m.community_id = c.id
            where m.member_id = $1
            order by c.id
            for update of c
        ),
        turned as (
            update social_graph.memberships m
            set hidden = $2
            from locked l
            where m.community_id = l.id
                and m.member_id = $1
                and m.hidden <> $2
            returning m.community_id
        )
        update social_graph.communities c
        set member_count = c.member_count + $3
        from turned t
        where c.id = t.community_id",
        member,
        hidden,
        count_change,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn hide_attendances(db: &mut PgConnection, member: Uuid, hidden: bool, count_change: i64) -> Result<(), Error> {
    sqlx::query!(
        "with locked as (
            select e.id
            from social_graph.events e
            join social_graph.attendances a on a.event_id = e.id
            where a.member_id = $1
            order by e.id
            for update of e
        ),
        turned as (
            update social_graph.attendances a
            set hidden = $2
            from locked l
            where a.event_id = l.id
                and a.member_id = $1
                and a.hidden <> $2
            returning a.event_id
        )
        update social_graph.events e
        set attendee_count = e.attendee_count + $3
        from turned t
        where e.id = t.event_id",
        member,
        hidden,
        count_change,
    )
    .execute(db)
    .await?;
    Ok(())
}
