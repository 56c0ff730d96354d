//! Events, who comes to them, and what is sent to announce or change one.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as wire;
use primitives::clock::timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::{
    api::members::views::Author,
    edge::timestamps::{named, named_moment, required_moment},
};

/// Something to attend, as lists carry it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// UUIDv7.
    #[schema(format = Uuid)]
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Where.
    #[schema(required)]
    pub location: Option<String>,
    /// When it begins.
    pub start_date: DateTime<Utc>,
    /// When it ends.
    pub end_date: DateTime<Utc>,
    /// The clock its organiser goes by: an IANA name.
    pub time_zone: String,
    /// How many come.
    pub attendee_count: i64,
    /// The first few of them.
    pub attendees: Vec<Attendee>,
    /// The asker comes; false for visitors.
    pub attending: bool,
    /// Who announced it; null once their account is gone, and for somebody they do not meet.
    #[schema(required)]
    pub organiser: Option<Author>,
}

impl Event {
    /// An event with its people.
    pub fn of(event: wire::Event, people: &MemberCards) -> Self {
        Self {
            id: event.id,
            title: event.title,
            location: event.location,
            start_date: required_moment(event.start_date),
            end_date: required_moment(event.end_date),
            time_zone: event.time_zone,
            attendee_count: event.attendee_count,
            attendees: event.attendees.into_iter().map(|attendee| Attendee::of(attendee, people)).collect(),
            attending: event.attending,
            organiser: event.organiser_id.map(|organiser| people.author(&organiser)),
        }
    }
}

/// The members an event shows: its organiser and the first who come.
pub fn people_of(event: &wire::Event) -> impl Iterator<Item = &str> {
    event.attendees.iter().map(|attendee| attendee.member_id.as_str()).chain(event.organiser_id.as_deref())
}

/// Something to attend, whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventDetails {
    /// As lists carry it.
    #[serde(flatten)]
    pub event: Event,
    /// What happens there: plain text, in lines.
    #[schema(required)]
    pub description: Option<String>,
}

impl EventDetails {
    /// An event with its people.
    pub fn of(mut event: wire::Event, people: &MemberCards) -> Self {
        let description = event.description.take();
        Self { event: Event::of(event, people), description }
    }
}

/// Somebody who attends.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attendee {
    /// Of the attendance.
    #[schema(format = Uuid)]
    pub id: String,
    /// Who.
    pub user: Author,
}

impl Attendee {
    /// With the member.
    pub fn of(attendee: wire::Attendee, people: &MemberCards) -> Self {
        Self { user: people.author(&attendee.member_id), id: attendee.id }
    }
}

/// A new event.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvent {
    /// 1 to 200 characters. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    title: String,
    /// At most 5,000 characters.
    description: Option<String>,
    /// At most 200 characters.
    location: Option<String>,
    /// When it begins.
    start_date: DateTime<Utc>,
    /// When it ends: at most 14 days later, and not past.
    end_date: DateTime<Utc>,
    /// An IANA name: `Asia/Manila`. Left out counts as blank.
    #[serde(default)]
    #[schema(required)]
    time_zone: String,
}

impl From<CreateEvent> for wire::EventText {
    fn from(body: CreateEvent) -> Self {
        Self {
            title: body.title,
            description: body.description,
            location: body.location,
            start_date: Some(timestamp(body.start_date)),
            end_date: Some(timestamp(body.end_date)),
            time_zone: body.time_zone,
        }
    }
}

/// What changes of an event. A field that is left out stays; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateEvent {
    /// 1 to 200 characters; cannot be cleared.
    #[serde(default, deserialize_with = "named")]
    title: Option<String>,
    /// At most 5,000 characters.
    #[serde(default, deserialize_with = "named")]
    description: Option<String>,
    /// At most 200 characters.
    #[serde(default, deserialize_with = "named")]
    location: Option<String>,
    /// When it begins; cannot be cleared.
    #[serde(default, deserialize_with = "named_moment")]
    #[schema(nullable = false)]
    start_date: Option<DateTime<Utc>>,
    /// When it ends; cannot be cleared.
    #[serde(default, deserialize_with = "named_moment")]
    #[schema(nullable = false)]
    end_date: Option<DateTime<Utc>>,
    /// An IANA name; cannot be cleared.
    #[serde(default, deserialize_with = "named")]
    time_zone: Option<String>,
}

impl UpdateEvent {
    /// Whether every field was sent.
    pub const fn is_whole(&self) -> bool {
        self.title.is_some()
            && self.description.is_some()
            && self.location.is_some()
            && self.start_date.is_some()
            && self.end_date.is_some()
            && self.time_zone.is_some()
    }

    /// All it says from now on: what was sent, and of the rest what it said.
    pub fn over(self, said: wire::Event) -> wire::EventText {
        let text = |sent: Option<String>, said: Option<String>| sent.or(said).filter(|text| !text.is_empty());
        wire::EventText {
            title: self.title.unwrap_or(said.title),
            description: text(self.description, said.description),
            location: text(self.location, said.location),
            start_date: self.start_date.map(timestamp).or(said.start_date),
            end_date: self.end_date.map(timestamp).or(said.end_date),
            time_zone: self.time_zone.unwrap_or(said.time_zone),
        }
    }
}
