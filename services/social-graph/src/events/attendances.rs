//! Attendances of events. The counts change in the same transaction. Lock order: member, event.

use chrono::{DateTime, Utc};
use outbox::UnitOfWork;
use primitives::input::{Cursor, Page};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::get;
use crate::{error::Error, members, paging::PageRequest, publishing};

pub struct Attendee {
    pub id: Uuid,
    pub member_id: Uuid,
    pub said_at: DateTime<Utc>,
}

/// A position in an event's list of attendees.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct AttendeeCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for AttendeeCursor {}

impl AttendeeCursor {
    pub const FIRST: Self = Self { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

pub struct ListAttendees {
    pub event: Uuid,
    pub page: PageRequest<AttendeeCursor>,
}

/// Lists the attendees by time of acceptance, without closed accounts and without blocks of the viewer in either
/// direction. A block between the viewer and the organiser hides the viewer's own attendance.
pub async fn list(db: &mut PgConnection, viewer: Option<Uuid>, query: &ListAttendees) -> Result<Page<Attendee>, Error> {
    let rows = sqlx::query_as!(
        Attendee,
        "with unseen as materialized (
            select blocked_id as member_id
            from social_graph.blocks
            where blocker_id = $2
            union
            select blocker_id
            from social_graph.blocks
            where blocked_id = $2
        ),
        own as (
            select $2::uuid as member_id
            from social_graph.events e
            join unseen u on u.member_id = e.organiser_id
            where e.id = $1
        )
        select id, member_id, said_at
        from social_graph.attendances
        where event_id = $1
            and not hidden
            and (said_at, id) > ($3, $4)
            and member_id not in (select member_id from unseen)
            and not exists (select from own where own.member_id = attendances.member_id)
        order by said_at, id
        limit $5",
        query.event,
        viewer,
        query.page.after.at,
        query.page.after.id,
        query.page.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        get(db, viewer, query.event).await?;
    }
    Ok(Page::cut(rows, query.page.size, |row| AttendeeCursor { at: row.said_at, id: row.id }))
}

/// Adds an attendance. Refuses a past event, except to an existing attendee. The lock of the member serialises it with blocks.
///
/// # Errors
/// [`Error::EventNotFound`], also for a block between the member and the organiser in either direction; [`Error::EventOver`].
pub async fn attend(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    members::lock(work, member).await?;
    lock(work.db, id).await?;
    let outcome = sqlx::query!(
        r#"with open as (
            select e.id, e.ends_at
            from social_graph.events e
            where e.id = $1
                and not exists (
                    select
                    from social_graph.blocks
                    where (blocker_id = $3 and blocked_id = e.organiser_id)
                        or (blocker_id = e.organiser_id and blocked_id = $3)
                )
        ),
        standing as (
            select id
            from social_graph.attendances
            where event_id = $1
                and member_id = $3
        ),
        said as (
            insert into social_graph.attendances (id, event_id, member_id, said_at, hidden)
            select $2, e.id, m.member_id, $4, m.hidden
            from open e, social_graph.members m
            where e.ends_at > $4
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
        select
            exists (select from open) as "is_open!",
            exists (select from standing) as "stood!",
            exists (select from said) as "said!""#,
        id,
        work.ids.owned_by(id),
        member,
        work.now,
    );
    let outcome = outcome.fetch_one(&mut *work.db).await?;
    match (outcome.is_open, outcome.said, outcome.stood) {
        (false, ..) => Err(Error::EventNotFound),
        (true, true, _) => publishing::events::publish_attended(work, id, member).await,
        (true, false, true) => Ok(()),
        (true, false, false) => Err(Error::EventOver),
    }
}

/// Removes an attendance.
pub async fn unattend(work: &mut UnitOfWork<'_>, id: Uuid, member: Uuid) -> Result<(), Error> {
    members::lock(work, member).await?;
    lock(work.db, id).await?;
    let deleted = sqlx::query!(
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
    .execute(&mut *work.db)
    .await?;
    if deleted.rows_affected() == 1 { publishing::events::publish_unattended(work, id, member).await } else { Ok(()) }
}

/// Locks an event until the transaction ends, so that the next statement sees its committed state.
async fn lock(db: &mut PgConnection, id: Uuid) -> Result<(), Error> {
    let locked = sqlx::query_scalar!("select id from social_graph.events where id = $1 for update", id);
    locked.fetch_optional(db).await?.map(drop).ok_or(Error::EventNotFound)
}
