//! Events and who comes: messages to what `events` takes, and back.

use chrono::{DateTime, Months, Utc};
use chrono_tz::Tz;
use portia_proto::social_graph as wire;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, Line, Text},
};
use prost_types::Timestamp;
use uuid::Uuid;

use super::{BATCH, Browse, BrowseEvents, key};
use crate::{
    error::Error,
    events::{Attendee, Earliest, Event, LONGEST, Poster, Soonest},
    idempotency::Keyed,
};

/// How far ahead an event may begin.
const AHEAD: Months = Months::new(24);

impl TryFrom<wire::ListEventsRequest> for BrowseEvents {
    type Error = Error;

    fn try_from(request: wire::ListEventsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, Soonest::FIRST)
    }
}

/// Which event.
pub fn event_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("eventId", raw)?)
}

/// Which events.
pub fn event_ids(request: &wire::BatchGetEventsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("eventIds", &request.event_ids, BATCH)?)
}

/// A page of those who come to an event.
pub struct BrowseAttendees {
    pub event: Uuid,
    pub page: Browse<Earliest>,
}

impl TryFrom<wire::ListAttendeesRequest> for BrowseAttendees {
    type Error = Error;

    fn try_from(request: wire::ListAttendeesRequest) -> Result<Self, Error> {
        let event = event_id(&request.event_id)?;
        Ok(Self { event, page: Browse::parse(request.page_size, &request.page_token, Earliest::FIRST)? })
    }
}

impl Keyed<Poster> {
    /// A new event, as things stand `now`.
    pub fn parse(request: wire::CreateEventRequest, now: DateTime<Utc>) -> Result<Self, Error> {
        let mut form = Form::default();
        let poster = poster(&mut form, request.text, now);
        let key = form.take(key(request.idempotency_key.as_deref()));
        let (what, key) = form.finish(poster.zip(key))?;
        Ok(Self { what, key })
    }
}

/// An event, and what it says of itself from now on.
pub struct Changed {
    pub event: Uuid,
    pub poster: Poster,
}

impl Changed {
    /// The change, as things stand `now`.
    pub fn parse(request: wire::UpdateEventRequest, now: DateTime<Utc>) -> Result<Self, Error> {
        let mut form = Form::default();
        let event = form.take(ids::parse("eventId", &request.event_id));
        let poster = poster(&mut form, request.text, now);
        let (event, poster) = form.finish(event.zip(poster))?;
        Ok(Self { event, poster })
    }
}

/// What an event says of itself.
fn poster(form: &mut Form, text: Option<wire::EventText>, now: DateTime<Utc>) -> Option<Poster> {
    let text = text.unwrap_or_default();
    let title = form.take(Line::parse("title", &text.title, 1, "Give the event a title."));
    let description = form.take(Text::parse_optional("description", text.description.as_deref()));
    let location = form.take(Line::parse_optional("location", text.location.as_deref()));
    let starts_at = form.take(moment("startDate", text.start_date));
    let ends_at = form.take(moment("endDate", text.end_date));
    let time_zone = form.take(zone(&text.time_zone));
    let (starts_at, ends_at) = form.take(span(starts_at.zip(ends_at)?, now))?;
    let (((title, description), location), time_zone) = title.zip(description).zip(location).zip(time_zone)?;
    Some(Poster { title, description, location, starts_at, ends_at, time_zone })
}

/// A moment, as exactly as Postgres keeps it.
fn moment(field: &str, raw: Option<Timestamp>) -> Result<DateTime<Utc>, Violation> {
    let raw = raw.ok_or_else(|| Violation::new(field, "This must not be empty."))?;
    let exact = u32::try_from(raw.nanos).ok().and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos));
    let kept = exact.and_then(|at| DateTime::from_timestamp_micros(at.timestamp_micros()));
    kept.ok_or_else(|| Violation::new(field, "This is not a valid time."))
}

/// From when until when.
fn span(
    (starts_at, ends_at): (DateTime<Utc>, DateTime<Utc>),
    now: DateTime<Utc>,
) -> Result<(DateTime<Utc>, DateTime<Utc>), Violation> {
    let refused = |field: &str, message: &str| Err(Violation::new(field, message));
    if ends_at <= starts_at {
        return refused("endDate", "An event ends after it starts.");
    }
    if ends_at - starts_at > LONGEST {
        return refused("endDate", "An event lasts at most 14 days.");
    }
    if ends_at <= now {
        return refused("endDate", "This is in the past.");
    }
    if now.checked_add_months(AHEAD).is_none_or(|latest| starts_at > latest) {
        return refused("startDate", "An event starts within the next two years.");
    }
    Ok((starts_at, ends_at))
}

/// An IANA name, as its database spells it.
fn zone(raw: &str) -> Result<&'static str, Violation> {
    let zone: Result<Tz, _> = raw.parse();
    zone.map(|zone| zone.name()).map_err(|_| Violation::new("timeZone", "This is not the name of a time zone."))
}

impl From<Event> for wire::Event {
    fn from(event: Event) -> Self {
        let attendees = event
            .attendance_ids
            .iter()
            .zip(&event.attendee_ids)
            .map(|(id, member)| wire::Attendee { id: id.to_string(), member_id: member.to_string() })
            .collect();
        Self {
            id: event.id.to_string(),
            title: event.title,
            location: event.location,
            start_date: Some(timestamp(event.starts_at)),
            attendee_count: event.attendee_count,
            attendees,
            end_date: Some(timestamp(event.ends_at)),
            time_zone: event.time_zone,
            description: event.description,
            organiser_id: event.organiser_id.map(|organiser| organiser.to_string()),
            attending: event.attending,
            revision: event.revision,
        }
    }
}

impl From<Attendee> for wire::Attendee {
    fn from(attendee: Attendee) -> Self {
        Self { id: attendee.id.to_string(), member_id: attendee.member_id.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn at(seconds: i64, nanos: i32) -> Option<Timestamp> {
        Some(Timestamp { seconds, nanos })
    }

    #[test]
    fn a_moment_is_one_postgres_can_keep() {
        assert_eq!(moment("t", at(1, 999_999_999)), Ok(DateTime::from_timestamp_micros(1_999_999).unwrap()));
        for bad in [None, at(i64::MAX, 0), at(i64::MIN, 0), at(1, -1), at(1, i32::MAX), at(1, 1_000_000_000)] {
            assert!(moment("t", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_event_is_ahead_and_neither_endless_nor_over() {
        let now = DateTime::from_timestamp(1_772_442_000, 0).unwrap();
        let (hour, day, blink) = (TimeDelta::hours(1), TimeDelta::days(1), TimeDelta::microseconds(1));
        let latest = now + Months::new(24);
        for (starts_at, ends_at, field) in [
            (now, now + hour, None),
            (now - day * 13, now + day, None),
            (now - hour, now + blink, None),
            (latest, latest + day * 14, None),
            (now + hour, now + hour, Some("endDate")),
            (now + hour, now, Some("endDate")),
            (now, now + day * 14 + blink, Some("endDate")),
            (now - hour, now, Some("endDate")),
            (latest + blink, latest + hour, Some("startDate")),
            (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC, Some("endDate")),
        ] {
            let refused = span((starts_at, ends_at), now).err().map(|violation| violation.field);
            assert_eq!(refused.as_deref(), field, "{starts_at} to {ends_at}");
        }
    }

    #[test]
    fn a_zone_is_one_of_the_databases() {
        for good in ["Asia/Manila", "America/New_York", "America/Argentina/Buenos_Aires", "UTC", "Asia/Calcutta"] {
            assert_eq!(zone(good), Ok(good));
        }
        for bad in ["", "Mars/Olympus", "+08:00", "PHT", "asia/manila", "Asia/Manila\0", "../etc/passwd", " UTC"] {
            assert!(zone(bad).is_err(), "{bad:?}");
        }
    }
}
