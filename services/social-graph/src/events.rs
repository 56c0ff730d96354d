//! Events people attend, open to everybody's eyes.

use chassis::input::{Cursor, Page};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{convert::BrowseEvents, error::Error};

/// The longest an event lasts; the table's check says the same. Whatever has not ended began within it.
const LONGEST: TimeDelta = TimeDelta::days(14);
/// Attendees named with an event: faces for a card, the count says the rest.
const NAMED: i64 = 5;

/// An event as lists show it.
pub struct Event {
    pub id: Uuid,
    pub title: String,
    pub location: Option<String>,
    pub starts_at: DateTime<Utc>,
    pub attendee_count: i64,
    /// The first to say that they come, and who they are: two lists of one length.
    pub attendance_ids: Vec<Uuid>,
    pub attendee_ids: Vec<Uuid>,
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

/// Events that have not ended, soonest first.
pub async fn list(db: &mut PgConnection, browse: &BrowseEvents, now: DateTime<Utc>) -> Result<Page<Event>, Error> {
    let rows = sqlx::query_as!(
        Event,
        r#"select
            e.id, e.title, e.location, e.starts_at, e.attendee_count,
            coalesce(named.attendance_ids, '{}') as "attendance_ids!",
            coalesce(named.attendee_ids, '{}') as "attendee_ids!"
        from (
            select id, title, location, starts_at, attendee_count
            from social_graph.events
            where (starts_at, id) > ($1, $2)
                and starts_at > $3
                and ends_at > $4
            order by starts_at, id
            limit $5
        ) as e
        left join lateral (
            select
                array_agg(a.id order by a.said_at, a.id) as attendance_ids,
                array_agg(a.member_id order by a.said_at, a.id) as attendee_ids
            from (
                select id, member_id, said_at
                from social_graph.attendances
                where event_id = e.id
                    and not hidden
                order by said_at, id
                limit $6
            ) as a
        ) as named on true
        order by e.starts_at, e.id"#,
        browse.after.at,
        browse.after.id,
        now - LONGEST,
        now,
        browse.size.to_fetch(),
        NAMED,
    )
    .fetch_all(db)
    .await?;
    Ok(Page::cut(rows, browse.size, |event| Soonest { at: event.starts_at, id: event.id }))
}
