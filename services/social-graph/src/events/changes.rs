//! Creation, update and cancellation of events: each is one conditional statement whose result says what happened.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::EventText;
use crate::error::Error;

/// Creates an event organised by `member`, who is its first attendee with the row id `attendance`. The caller holds
/// [`crate::members::lock`].
pub async fn create(
    db: &mut PgConnection,
    id: Uuid,
    attendance: Uuid,
    member: Uuid,
    text: &EventText,
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
        &*text.title,
        text.description.as_deref(),
        text.location.as_deref(),
        text.starts_at,
        text.ends_at,
        text.time_zone,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub struct UpdateEvent {
    pub event: Uuid,
    pub text: EventText,
}

/// A change of an event.
pub struct EventChange {
    /// The place or the time changed.
    pub moved: bool,
}

/// Replaces the fields of an event for its organiser. `None` when nothing differs: the revision stays.
pub async fn update(
    db: &mut PgConnection,
    id: Uuid,
    member: Uuid,
    text: &EventText,
) -> Result<Option<EventChange>, Error> {
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
        &*text.title,
        text.description.as_deref(),
        text.location.as_deref(),
        text.starts_at,
        text.ends_at,
        text.time_zone,
    );
    let update = update.fetch_optional(db).await?.ok_or(Error::EventNotFound)?;
    if update.organises {
        Ok(update.changed.then_some(EventChange { moved: update.moved }))
    } else {
        Err(Error::NotOrganiser)
    }
}

/// Deletes an event and its attendances for its organiser.
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
