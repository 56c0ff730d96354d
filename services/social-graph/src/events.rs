//! Events people attend, open to everybody's eyes.

pub mod steps;

use chrono::{DateTime, TimeDelta, Utc};
use primitives::input::{Cursor, Line, Page, Text};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    convert::{BrowseAttendees, BrowseEvents},
    error::Error,
};

/// The longest an event lasts; the table's check says the same. Whatever has not ended began within it.
pub const LONGEST: TimeDelta = TimeDelta::days(14);
/// Attendees named with an event: faces for a card, the count says the rest.
const NAMED: i64 = 5;

/// What an event says of itself.
#[derive(Clone, Debug)]
pub struct Poster {
    pub title: Line<200>,
    pub description: Option<Text<5_000>>,
    pub location: Option<Line<200>>,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    /// The clock the poster goes by.
    pub time_zone: &'static str,
}

/// An event as somebody sees it.
pub struct Event {
    pub id: Uuid,
    pub title: String,
    /// Lists leave it out.
    pub description: Option<String>,
    pub location: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub time_zone: String,
    /// Absent where who asks does not see them.
    pub organiser_id: Option<Uuid>,
    pub attendee_count: i64,
    /// The first to say that they come, of those who asks sees, and who they are: two lists of one length.
    pub attendance_ids: Vec<Uuid>,
    pub attendee_ids: Vec<Uuid>,
    /// Who asks comes.
    pub attending: bool,
    pub revision: i32,
}

/// A place in the list of events.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Soonest {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Soonest {}

impl Soonest {
    /// Before every event.
    pub const FIRST: Self = Self { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

/// Events with the first few who come: `$events` says which (columns of social_graph.events, and the description where it
/// is shown), in which order the last part. $1 is who asks, null for a visitor; $2 how many are named.
macro_rules! events {
    ($events:literal, $order:literal, $viewer:expr $(, $argument:expr)* $(,)?) => {
        sqlx::query_as!(
            Event,
            r#"with unseen as materialized (
                select blocked_id as member_id
                from social_graph.blocks
                where blocker_id = $1
                union all
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
                e.attendee_count, coalesce(named.attendance_ids, '{}') as "attendance_ids!",
                coalesce(named.attendee_ids, '{}') as "attendee_ids!",
                exists (
                    select
                    from social_graph.attendances a
                    where a.event_id = e.id
                        and a.member_id = $1
                ) as "attending!",
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
                    order by said_at, id
                    limit $2
                ) as a
            ) as named on true
            order by "# + $order,
            $viewer,
            NAMED
            $(, $argument)*
        )
    };
}

/// Events that have not ended, soonest first.
pub async fn list(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &BrowseEvents,
    now: DateTime<Utc>,
) -> Result<Page<Event>, Error> {
    let rows = events!(
        "select
            id, title, null::text as description, location, starts_at, ends_at, time_zone, organiser_id, attendee_count,
            revision
        from social_graph.events
        where (starts_at, id) > ($3, $4)
            and starts_at > $5
            and ends_at > $6
        order by starts_at, id
        limit $7",
        "e.starts_at, e.id",
        viewer,
        browse.after.at,
        browse.after.id,
        now - LONGEST,
        now,
        browse.size.to_fetch(),
    );
    let rows = rows.fetch_all(db).await?;
    Ok(Page::cut(rows, browse.size, |event| Soonest { at: event.starts_at, id: event.id }))
}

/// Those there are of some events, as lists carry them, also those that are over.
pub async fn several(db: &mut PgConnection, viewer: Option<Uuid>, ids: &[Uuid]) -> Result<Vec<Event>, sqlx::Error> {
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
    events.fetch_all(db).await
}

/// One event, whether it is over or not.
pub async fn find(db: &mut PgConnection, viewer: Option<Uuid>, id: Uuid) -> Result<Event, Error> {
    let event = events!("select * from social_graph.events where id = $3", "e.id", viewer, id);
    event.fetch_optional(db).await?.ok_or(Error::EventNotFound)
}

/// Somebody who comes.
pub struct Attendee {
    pub id: Uuid,
    pub member_id: Uuid,
    pub said_at: DateTime<Utc>,
}

/// A place in an event's list of attendees.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Earliest {
    at: DateTime<Utc>,
    id: Uuid,
}

impl Cursor for Earliest {}

impl Earliest {
    /// Before every attendee.
    pub const FIRST: Self = Self { at: DateTime::UNIX_EPOCH, id: Uuid::nil() };
}

/// Who comes, in the order they said so, without closed accounts and without whom who asks blocks or is blocked by.
pub async fn attendees(
    db: &mut PgConnection,
    viewer: Option<Uuid>,
    browse: &BrowseAttendees,
) -> Result<Page<Attendee>, Error> {
    let rows = sqlx::query_as!(
        Attendee,
        "with unseen as materialized (
            select blocked_id as member_id
            from social_graph.blocks
            where blocker_id = $2
            union all
            select blocker_id
            from social_graph.blocks
            where blocked_id = $2
        )
        select id, member_id, said_at
        from social_graph.attendances
        where event_id = $1
            and not hidden
            and (said_at, id) > ($3, $4)
            and member_id not in (select member_id from unseen)
        order by said_at, id
        limit $5",
        browse.event,
        viewer,
        browse.page.after.at,
        browse.page.after.id,
        browse.page.size.to_fetch(),
    )
    .fetch_all(&mut *db)
    .await?;
    if rows.is_empty() {
        find(db, viewer, browse.event).await?;
    }
    Ok(Page::cut(rows, browse.page.size, |row| Earliest { at: row.said_at, id: row.id }))
}
