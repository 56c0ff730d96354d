//! Closed accounts: shown nowhere while they are closed, and as before once they are open again.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::counts::{self, Counted};

/// Hides a member (`hidden`), or shows them again, on every row that names them, and corrects the counts of everybody
/// those rows count for. Doing it twice does nothing more. Nobody is told: others hear of it from auth themselves.
pub async fn hide(db: &mut PgConnection, member: Uuid, hidden: bool) -> Result<(), sqlx::Error> {
    // This row's lock is what requests to connect wait for: no row of the member's appears behind our back.
    let turned = sqlx::query!(
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
    if turned.rows_affected() == 0 {
        return Ok(());
    }
    let by = if hidden { -1_i64 } else { 1 };
    connections(db, member, hidden).await?;
    memberships(db, member, hidden, by).await?;
    attendances(db, member, hidden, by).await
}

/// Shows every hidden member again: before auth tells from the beginning who is hidden.
pub async fn show_all(db: &mut PgConnection) -> Result<(), sqlx::Error> {
    let hidden = sqlx::query_scalar!("select member_id from social_graph.members where hidden order by member_id");
    for member in hidden.fetch_all(&mut *db).await? {
        hide(db, member, false).await?;
    }
    Ok(())
}

async fn connections(db: &mut PgConnection, member: Uuid, hidden: bool) -> Result<(), sqlx::Error> {
    let counted = sqlx::query_as!(
        Counted,
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
    if hidden { counts::subtract(db, &counted).await } else { counts::add(db, &counted).await }
}

async fn memberships(db: &mut PgConnection, member: Uuid, hidden: bool, by: i64) -> Result<(), sqlx::Error> {
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
        by,
    )
    .execute(db)
    .await?;
    Ok(())
}

async fn attendances(db: &mut PgConnection, member: Uuid, hidden: bool, by: i64) -> Result<(), sqlx::Error> {
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
        by,
    )
    .execute(db)
    .await?;
    Ok(())
}
