//! Creation, update and cancellation of events: each is one conditional statement whose result says what happened.

use outbox::UnitOfWork;
use uuid::Uuid;

use super::{Event, EventText, get};
use crate::{
    error::Error,
    publishing::{self, events::EventState},
};

/// Creates an event organised by `member`, who is its first attendee. The caller holds [`crate::members::lock`].
pub async fn create(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid, text: &EventText) -> Result<(), Error> {
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
        work.ids.owned_by(id),
        member,
        &*text.title,
        text.description.as_deref(),
        text.location.as_deref(),
        text.starts_at,
        text.ends_at,
        text.time_zone,
        work.now,
    )
    .execute(&mut *work.db)
    .await?;
    let state = EventState { id, organiser: Some(member), title: &text.title, revision: 0, moved: false };
    publishing::events::publish_changed(work, &state).await?;
    publishing::events::publish_attended(work, id, member).await
}

pub struct UpdateEvent {
    pub event: Uuid,
    pub text: EventText,
}

/// Replaces the fields of an event for its organiser, and returns it. When nothing differs, the revision stays.
pub async fn update(work: &mut UnitOfWork<'_>, member: Uuid, update: &UpdateEvent) -> Result<Event, Error> {
    let &UpdateEvent { event: id, ref text } = update;
    let outcome = sqlx::query!(
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
    let outcome = outcome.fetch_optional(&mut *work.db).await?.ok_or(Error::EventNotFound)?;
    if !outcome.organises {
        return Err(Error::NotOrganiser);
    }
    let event = get(work.db, Some(member), id).await?;
    if outcome.changed {
        let (title, revision) = (event.title.as_str(), event.revision);
        let state = EventState { id, organiser: Some(member), title, revision, moved: outcome.moved };
        publishing::events::publish_changed(work, &state).await?;
    }
    Ok(event)
}

/// Deletes an event and its attendances for its organiser.
pub async fn cancel(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
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
    let organises = organises.fetch_optional(&mut *work.db).await?.ok_or(Error::EventNotFound)?;
    if organises { publishing::events::publish_removed(work, id).await } else { Err(Error::NotOrganiser) }
}
