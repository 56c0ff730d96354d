//! Events, which are visible to every viewer. A block hides the organiser and attendees: counts and lists leave them out. Between the
//! organiser and the viewer it hides the viewer's own attendance, too.

pub mod attendances;
pub mod changes;

use chrono::{DateTime, TimeDelta, Utc};
use primitives::input::{Cursor, Line, Page, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{error::Error, paging::PageRequest};

/// The longest duration, as in the table's check. An event that has not ended started within it.
pub const MAX_DURATION: TimeDelta = TimeDelta::days(14);
/// Attendees returned with an event, for its card.
const PREVIEW_ATTENDEES: i64 = 5;

/// The fields of an event that its organiser writes.
#[derive(Clone, Debug)]
pub struct EventText {
    pub title: Line<200>,
    pub description: Option<Text<5_000>>,
    pub location: Option<Line<200>>,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    /// An IANA name.
    pub time_zone: &'static str,
}

/// An event as one viewer sees it.
pub struct Event {
    pub id: Uuid,
    pub title: String,
    /// `None` in lists.
    pub description: Option<String>,
    pub location: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub time_zone: String,
    /// `None` when the viewer may not see the organiser.
    pub organiser_id: Option<Uuid>,
    pub attendee_count: i64,
    /// The first attendances the viewer may see, and their members: two lists of equal length.
    pub attendance_ids: Vec<Uuid>,
    pub attendee_ids: Vec<Uuid>,
    /// The viewer attends.
    pub attending: bool,
    pub revision: i32,
}

/// A position in the list of events.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct EventCursor {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for EventCursor {}

impl EventCursor {
    pub const FIRST: Self = Self { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

pub type ListEvents = PageRequest<EventCursor>;

/// Selects events with their first attendees. `$events` is the subselect of the events, `$order` the order of the result.
/// $1 is the viewer, null for a visitor; $2 the number of attendees.
macro_rules! events {
    ($events:literal, $order:literal, $viewer:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Event,
            r#"with unseen as materialized (
                select blocked_id as member_id
                from social_graph.blocks
                where blocker_id = $1
                union
                select blocker_id
                from social_graph.blocks
                where blocked_id = $1
            )
            select
                e.id, e.title, e.description as "description?", e.location, e.starts_at, e.ends_at, e.time_zone,
                case
                    when o.hidden or e.organiser_id in (select member_id from unseen) then null
                    else e.organiser_id
                end as organiser_id,
                e.attendee_count - (
                    select count(*)
                    from (
                        select member_id
                        from unseen
                        union
                        select $1
                        from unseen
                        where member_id = e.organiser_id
                    ) as u
                    join social_graph.attendances a on a.event_id = e.id and a.member_id = u.member_id
                    where not a.hidden
                ) as "attendee_count!",
                coalesce(named.attendance_ids, '{}') as "attendance_ids!",
                coalesce(named.attendee_ids, '{}') as "attendee_ids!",
                exists (
                    select
                    from social_graph.attendances a
                    where a.event_id = e.id
                        and a.member_id = $1
                ) and not exists (select from unseen where member_id = e.organiser_id) as "attending!",
                e.revision
            from ("# + $events + r#") as e
            left join social_graph.members o on o.member_id = e.organiser_id
            left join lateral (
                select
                    array_agg(a.id order by a.said_at, a.id) as attendance_ids,
                    array_agg(a.member_id order by a.said_at, a.id) as attendee_ids
                from (
                    select id, member_id, said_at
                    from social_graph.attendances
                    where event_id = e.id
                        and not hidden
                        and member_id not in (
                            select blocked_id
                            from social_graph.blocks
                            where blocker_id = $1
                            union all
                            select blocker_id
                            from social_graph.blocks
                            where blocked_id = $1
                        )
                        and not (
                            member_id is not distinct from $1
                            and exists (
                                select
                                from social_graph.blocks
                                where (blocker_id = $1 and blocked_id = e.organiser_id)
                                    or (blocker_id = e.organiser_id and blocked_id = $1)
                            )
                        )
                    order by said_at, id
                    limit $2
                ) as a
            ) as named on true
            order by "# + $order,
            $viewer,
            PREVIEW_ATTENDEES
            $(, $argument)*
        )
    };
}

/// Lists events that have not ended, soonest first. The maximum page, `limit 101`, tells the planner the number of
/// rows: with a bound limit alone it would plan each call again.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    query: &ListEvents,
    now: DateTime<Utc>,
) -> Result<Page<Event>, Error> {
    let rows = events!(
        "select *
        from (
            select
                id, title, null::text as description, location, starts_at, ends_at, time_zone, organiser_id,
                attendee_count, revision
            from social_graph.events
            where (starts_at, id) > ($3, $4)
                and starts_at > $5
                and ends_at > $6
            order by starts_at, id
            limit 101
        ) as next
        order by starts_at, id
        limit $7",
        "e.starts_at, e.id",
        viewer,
        query.after.at,
        query.after.id,
        now - MAX_DURATION,
        now,
        query.size.to_fetch(),
    );
    let rows = rows.fetch_all(db).await?;
    Ok(Page::cut(rows, query.size, |event| EventCursor { at: event.starts_at, id: event.id }))
}

/// Returns the events that exist among `ids`, past ones included, in the form of lists.
pub async fn batch_get(db: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Event>, Error> {
    let events = events!(
        "select
            id, title, null::text as description, location, starts_at, ends_at, time_zone, organiser_id, attendee_count,
            revision
        from social_graph.events
        where id = any((select $3::uuid[])::uuid[])
        limit 101",
        "e.id",
        viewer,
        ids,
    );
    Ok(events.fetch_all(db).await?)
}

/// Returns one event, past ones included.
pub async fn get(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Event, Error> {
    let event = events!("select * from social_graph.events where id = $3", "e.id", viewer, id);
    event.fetch_optional(db).await?.ok_or(Error::EventNotFound)
}
