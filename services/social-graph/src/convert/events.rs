//! Conversion of the messages about events and attendees.

use chrono::{DateTime, Months, Utc};
use chrono_tz::Tz;
use idempotency::RequestKey;
use portia_proto::social_graph as pb;
use primitives::{
    clock::timestamp,
    error::Violation,
    ids,
    input::{Form, Line, Text},
};
use prost_types::Timestamp;
use uuid::Uuid;

use super::{IdempotentRequest, MAX_BATCH};
use crate::{
    error::Error,
    events::{
        Event, EventCursor, EventText, ListEvents, MAX_DURATION,
        attendances::{Attendee, AttendeeCursor, ListAttendees},
        changes::UpdateEvent,
    },
    paging::PageRequest,
};

/// The longest time until an event starts.
const MAX_LEAD_TIME: Months = Months::new(24);

impl TryFrom<pb::ListEventsRequest> for ListEvents {
    type Error = Error;

    fn try_from(request: pb::ListEventsRequest) -> Result<Self, Error> {
        Self::parse(request.page_size, &request.page_token, EventCursor::FIRST)
    }
}

pub fn event_id(raw: &str) -> Result<Uuid, Error> {
    Ok(ids::parse("eventId", raw)?)
}

pub fn event_ids(request: &pb::BatchGetEventsRequest) -> Result<Vec<Uuid>, Error> {
    Ok(ids::parse_all("eventIds", &request.event_ids, MAX_BATCH)?)
}

impl TryFrom<pb::ListAttendeesRequest> for ListAttendees {
    type Error = Error;

    fn try_from(request: pb::ListAttendeesRequest) -> Result<Self, Error> {
        let event = event_id(&request.event_id)?;
        Ok(Self { event, page: PageRequest::parse(request.page_size, &request.page_token, AttendeeCursor::FIRST)? })
    }
}

impl IdempotentRequest<EventText> {
    /// Parses a new event; `now` decides which times are in the past.
    pub fn parse(mut request: pb::CreateEventRequest, now: DateTime<Utc>) -> Result<Self, Error> {
        let raw_key = request.idempotency_key.take();
        let key = RequestKey::parse(raw_key.as_deref(), &request);
        let mut form = Form::default();
        let text = event_text(&mut form, request.text, now);
        let key = form.take(key);
        let (body, key) = form.finish(text.zip(key))?;
        Ok(Self { body, key })
    }
}

impl UpdateEvent {
    /// Parses an update; `now` decides which times are in the past.
    pub fn parse(request: pb::UpdateEventRequest, now: DateTime<Utc>) -> Result<Self, Error> {
        let mut form = Form::default();
        let event = form.take(ids::parse("eventId", &request.event_id));
        let text = event_text(&mut form, request.text, now);
        let (event, text) = form.finish(event.zip(text))?;
        Ok(Self { event, text })
    }
}

fn event_text(form: &mut Form, text: Option<pb::EventText>, now: DateTime<Utc>) -> Option<EventText> {
    let text = text.unwrap_or_default();
    let title = form.take(Line::parse("title", &text.title, 1, "Give the event a title."));
    let description = form.take(Text::parse_optional("description", text.description.as_deref()));
    let location = form.take(Line::parse_optional("location", text.location.as_deref()));
    let starts_at = form.take(time("startDate", text.start_date));
    let ends_at = form.take(time("endDate", text.end_date));
    let time_zone = form.take(time_zone(&text.time_zone));
    let (starts_at, ends_at) = form.take(time_range(starts_at.zip(ends_at)?, now))?;
    let (((title, description), location), time_zone) = title.zip(description).zip(location).zip(time_zone)?;
    Some(EventText { title, description, location, starts_at, ends_at, time_zone })
}

/// Parses a time and truncates it to the microseconds of Postgres.
fn time(field: &str, raw: Option<Timestamp>) -> Result<DateTime<Utc>, Violation> {
    let raw = raw.ok_or_else(|| Violation::new(field, "This must not be empty."))?;
    let exact = u32::try_from(raw.nanos).ok().and_then(|nanos| DateTime::from_timestamp(raw.seconds, nanos));
    let truncated = exact.and_then(|at| DateTime::from_timestamp_micros(at.timestamp_micros()));
    truncated.ok_or_else(|| Violation::new(field, "This is not a valid time."))
}

/// Validates the start and the end of an event.
fn time_range(
    (starts_at, ends_at): (DateTime<Utc>, DateTime<Utc>),
    now: DateTime<Utc>,
) -> Result<(DateTime<Utc>, DateTime<Utc>), Violation> {
    let refused = |field: &str, message: &str| Err(Violation::new(field, message));
    if ends_at <= starts_at {
        return refused("endDate", "An event ends after it starts.");
    }
    if ends_at - starts_at > MAX_DURATION {
        return refused("endDate", "An event lasts at most 14 days.");
    }
    if ends_at <= now {
        return refused("endDate", "This is in the past.");
    }
    if now.checked_add_months(MAX_LEAD_TIME).is_none_or(|latest| starts_at > latest) {
        return refused("startDate", "An event starts within the next two years.");
    }
    Ok((starts_at, ends_at))
}

/// Parses an IANA name, in the spelling of its database.
fn time_zone(raw: &str) -> Result<&'static str, Violation> {
    let zone: Result<Tz, _> = raw.parse();
    zone.map(|zone| zone.name()).map_err(|_| Violation::new("timeZone", "This is not the name of a time zone."))
}

impl From<Event> for pb::Event {
    fn from(event: Event) -> Self {
        let attendees = event
            .attendance_ids
            .iter()
            .zip(&event.attendee_ids)
            .map(|(id, member)| pb::Attendee { id: id.to_string(), member_id: member.to_string() })
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

impl From<Attendee> for pb::Attendee {
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
    fn a_time_outside_the_range_of_postgres_is_refused() {
        assert_eq!(time("t", at(1, 999_999_999)), Ok(DateTime::from_timestamp_micros(1_999_999).unwrap()));
        for bad in [None, at(i64::MAX, 0), at(i64::MIN, 0), at(1, -1), at(1, i32::MAX), at(1, 1_000_000_000)] {
            assert!(time("t", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_event_with_a_past_end_or_too_long_or_too_far_ahead_is_refused() {
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
            let refused = time_range((starts_at, ends_at), now).err().map(|violation| violation.field);
            assert_eq!(refused.as_deref(), field, "{starts_at} to {ends_at}");
        }
    }

    #[test]
    fn a_time_zone_outside_the_iana_database_is_refused() {
        for good in ["Asia/Manila", "America/New_York", "America/Argentina/Buenos_Aires", "UTC", "Asia/Calcutta"] {
            assert_eq!(time_zone(good), Ok(good));
        }
        for bad in ["", "Mars/Olympus", "+08:00", "PHT", "asia/manila", "Asia/Manila\0", "../etc/passwd", " UTC"] {
            assert!(time_zone(bad).is_err(), "{bad:?}");
        }
    }
}
