//! Events and attendees, and the requests to create and update events.

use chrono::{DateTime, Utc};
use portia_proto::social_graph as pb;
use primitives::clock::timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::members::cache::MemberCards;
use crate::edge::timestamps::{present, present_text};

pub use crate::api::contract::social_graph::{Attendee, Event};

/// An event with its description.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventDetails {
    /// The event, as in lists.
    #[serde(flatten)]
    pub event: Event,
    /// The description: plain text with line breaks.
    #[schema(required)]
    pub description: Option<String>,
}

impl EventDetails {
    /// An event with the cards of its members.
    pub fn of(mut event: pb::Event, people: &MemberCards) -> Self {
        let description = event.description.take();
        Self { event: Event::of(event, people), description }
    }
}

/// A new event.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreateEvent {
    /// The title, 1 to 200 characters. Absent counts as blank.
    #[serde(default)]
    #[schema(format = "line", required, min_length = 1, max_length = 200)]
    title: String,
    /// The description, at most 5,000 characters.
    #[schema(format = "text", max_length = 5000)]
    description: Option<String>,
    /// The location, at most 200 characters.
    #[schema(format = "line", max_length = 200)]
    location: Option<String>,
    /// The start.
    start_date: DateTime<Utc>,
    /// The end: in the future, at most 14 days after the start.
    end_date: DateTime<Utc>,
    /// The time zone: an IANA name such as `Asia/Manila`. Absent counts as blank.
    #[serde(default)]
    #[schema(format = "time-zone", required)]
    time_zone: String,
}

impl CreateEvent {
    /// The request to create the event.
    pub fn of(self, idempotency_key: Option<String>) -> pb::CreateEventRequest {
        let text = pb::EventText {
            title: self.title,
            description: self.description,
            location: self.location,
            start_date: Some(timestamp(self.start_date)),
            end_date: Some(timestamp(self.end_date)),
            time_zone: self.time_zone,
        };
        pb::CreateEventRequest { text: Some(text), idempotency_key }
    }
}

/// Changes of an event. An absent field keeps its value; null or an empty text clears it.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateEvent {
    /// The title, 1 to 200 characters. Cannot be cleared.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(nullable = false, format = "line", min_length = 1, max_length = 200)]
    title: Option<String>,
    /// The description, at most 5,000 characters.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "text", max_length = 5000)]
    description: Option<String>,
    /// The location, at most 200 characters.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(format = "line", max_length = 200)]
    location: Option<String>,
    /// The start. Cannot be cleared.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    start_date: Option<DateTime<Utc>>,
    /// The end. Cannot be cleared.
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    end_date: Option<DateTime<Utc>>,
    /// The time zone: an IANA name. Cannot be cleared.
    #[serde(default, deserialize_with = "present_text")]
    #[schema(nullable = false, format = "time-zone")]
    time_zone: Option<String>,
}

impl UpdateEvent {
    /// Whether every field was sent.
    pub const fn is_complete(&self) -> bool {
        self.title.is_some()
            && self.description.is_some()
            && self.location.is_some()
            && self.start_date.is_some()
            && self.end_date.is_some()
            && self.time_zone.is_some()
    }

    /// All texts after the update: the sent ones, and the current ones of absent fields.
    pub fn merge_into(self, current: pb::Event) -> pb::EventText {
        let text = |sent: Option<String>, current: Option<String>| sent.or(current).filter(|text| !text.is_empty());
        pb::EventText {
            title: self.title.unwrap_or(current.title),
            description: text(self.description, current.description),
            location: text(self.location, current.location),
            start_date: self.start_date.map(timestamp).or(current.start_date),
            end_date: self.end_date.map(timestamp).or(current.end_date),
            time_zone: self.time_zone.unwrap_or(current.time_zone),
        }
    }
}
