//! How events come about, change, find their attendees and are called off: each step one conditional statement, and what
//! came back of it tells what happened. Counts follow in the same transaction.
//!
//! Everybody locks the member, then the event.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::Poster;
use crate::{error::Error, members};

/// Announces an event, organised by `member`, who is its first attendee (by the row `attendance`) and who is locked
/// ([`members::lock`]).
pub async fn announce(
    db: &mut PgConnection,
    id: Uuid,
    attendance: Uuid,
    member: Uuid,
    poster: &Poster,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query!(
        "with announced as (
            insert into social_graph.events
                (id, title, description, location, starts_at, ends_at, time_zone, organiser_id, attendee_count, created_at)
            select $1, $4, $5, $6, $7, $8, $9, member_id, case when hidden then 0 else 1 end, $10
            from social_graph.members
            where member_id = $3
            returning id
        )
        insert into social_graph.attendances (id, event_id, member_id, said_at, hidden)
        select $2, a.id, m.member_id, $10, m.hidden
        from announced a, social_graph.members m
        where m.member_id = $3",
        id,
        attendance,
        member,
        &*poster.title,
        poster.description.as_deref(),
        poster.location.as_deref(),
        poster.starts_at,
        poster.ends_at,
        poster.time_zone,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// What is new of an event that says something else.
pub struct Newer {
    /// It takes place elsewhere, or at another time.
    pub moved: bool,
}

/// Changes what an event says of itself, at its organiser's wish. Calendars hear of it only where it says something else.
pub async fn update(db: &mut PgConnection, id: Uuid, member: Uuid, poster: &Poster) -> Result<Option<Newer>, Error> {
    let update = sqlx::query!(
        r#"with standing as (
            select
                id, coalesce(organiser_id = $2, false) as organises,
                (location, starts_at, ends_at, time_zone)
                    is distinct from ($5, $6::timestamptz, $7::timestamptz, $8) as moved
            from social_graph.events
            where id = $1
            for update
        ),
        changed as (
            update social_graph.events e
            set
                title = $3,
                description = $4,
                location = $5,
                starts_at = $6,
                ends_at = $7,
                time_zone = $8,
                revision = e.revision + 1
            from standing s
            where e.id = s.id
                and s.organises
                and (e.title, e.description, e.location, e.starts_at, e.ends_at, e.time_zone)
                    is distinct from ($3, $4, $5, $6::timestamptz, $7::timestamptz, $8)
            returning e.id
        )
        select organises as "organises!", exists (select from changed) as "changed!", moved as "moved!"
        from standing"#,
        id,
        member,
        &*poster.title,
        poster.description.as_deref(),
        poster.location.as_deref(),
        poster.starts_at,
        poster.ends_at,
        poster.time_zone,
    );
    let update = update.fetch_optional(db).await?.ok_or(Error::EventNotFound)?;
    if update.organises {
        Ok(update.changed.then_some(Newer { moved: update.moved }))
    } else {
        Err(Error::NotOrganiser)
    }
}

/// Calls an event off, at its organiser's wish: it goes, with whoever wanted to come.
pub async fn cancel(db: &mut PgConnection, id: Uuid, member: Uuid) -> Result<(), Error> {
    let organises = sqlx::query_scalar!(
        r#"with standing as (
            select id, coalesce(organiser_id = $2, false) as organises
            from social_graph.events
            where id = $1
            for update
        ),
        gone as (
            delete from social_graph.events e
            using standing s
            where e.id = s.id
                and s.organises
        )
        select organises as "organises!"
        from standing"#,
        id,
        member,
    );
    let organises = organises.fetch_optional(db).await?.ok_or(Error::EventNotFound)?;
    if organises { Ok(()) } else { Err(Error::NotOrganiser) }
}

/// Notes that `member` comes, by the row `attendance`, unless the event is over. False for who said so before, and does
/// already.
pub async fn attend(
    db: &mut PgConnection,
    id: Uuid,
    attendance: Uuid,
    member: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    members::lock(db, member, now).await?;
    lock(db, id).await?;
    let attends = sqlx::query!(
        r#"with standing as (
            select id
            from social_graph.attendances
            where event_id = $1
                and member_id = $3
        ),
        said as (
            insert into social_graph.attendances (id, event_id, member_id, said_at, hidden)
            select $2, e.id, m.member_id, $4, m.hidden
            from social_graph.events e, social_graph.members m
            where e.id = $1
                and e.ends_at > $4
                and m.member_id = $3
            on conflict (event_id, member_id) do nothing
            returning event_id, hidden
        ),
        counted as (
            update social_graph.events e
            set attendee_count = e.attendee_count + case when s.hidden then 0 else 1 end
            from said s
            where e.id = s.event_id
        )
        select exists (select from standing) as "stood!", exists (select from said) as "said!""#,
        id,
        attendance,
        member,
        now,
    );
    let attends = attends.fetch_one(db).await?;
    if attends.stood || attends.said { Ok(attends.said) } else { Err(Error::EventOver) }
}

/// Notes that `member` does not come. False when they did not before.
pub async fn unattend(db: &mut PgConnection, id: Uuid, member: Uuid, now: DateTime<Utc>) -> Result<bool, Error> {
    members::lock(db, member, now).await?;
    lock(db, id).await?;
    let gone = sqlx::query!(
        "with gone as (
            delete from social_graph.attendances
            where event_id = $1
                and member_id = $2
            returning event_id, hidden
        )
        update social_graph.events e
        set attendee_count = e.attendee_count - case when g.hidden then 0 else 1 end
        from gone g
        where e.id = g.event_id",
        id,
        member,
    )
    .execute(db)
    .await?;
    Ok(gone.rows_affected() == 1)
}

/// Locks an event until the transaction ends: the statement after this one sees what whoever was before us did.
async fn lock(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!("select id from social_graph.events where id = $1 for update", id);
    locked.fetch_optional(db).await?.map(drop).ok_or(Error::EventNotFound)
}
