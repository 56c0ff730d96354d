//! Facts about events. Closing an account changes no attendance, so it publishes nothing here.

use outbox::UnitOfWork;
use portia_proto::social_graph::{EventAttended, EventChanged, EventRemoved, EventUnattended};
use uuid::Uuid;

use crate::error::Error;

/// The published state of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventState<'a> {
    pub id: Uuid,
    /// `None` after the account was erased.
    pub organiser: Option<Uuid>,
    pub title: &'a str,
    pub revision: i32,
    /// The place or the time differs from before, which concerns the attendees.
    pub moved: bool,
}

pub async fn publish_changed(work: &mut UnitOfWork<'_>, event: &EventState<'_>) -> Result<(), Error> {
    let state = changed(event.id, event.organiser, event.title, event.revision);
    let fact = EventChanged { moved: event.moved, ..state };
    Ok(work.publish(event.id, &fact).await?)
}

pub async fn publish_removed(work: &mut UnitOfWork<'_>, event: Uuid) -> Result<(), Error> {
    Ok(work.publish(event, &EventRemoved { event_id: event.to_string() }).await?)
}

pub async fn publish_attended(work: &mut UnitOfWork<'_>, event: Uuid, member: Uuid) -> Result<(), Error> {
    Ok(work.publish(event, &attended(event, member)).await?)
}

pub async fn publish_unattended(work: &mut UnitOfWork<'_>, event: Uuid, member: Uuid) -> Result<(), Error> {
    let fact = EventUnattended { event_id: event.to_string(), member_id: member.to_string() };
    Ok(work.publish(event, &fact).await?)
}

/// The state without a change: `moved` is false.
pub(super) fn changed(event: Uuid, organiser: Option<Uuid>, title: &str, revision: i32) -> EventChanged {
    EventChanged {
        event_id: event.to_string(),
        organiser_id: organiser.map(|id| id.to_string()),
        title: title.to_owned(),
        revision,
        moved: false,
    }
}

pub(super) fn attended(event: Uuid, member: Uuid) -> EventAttended {
    EventAttended { event_id: event.to_string(), member_id: member.to_string() }
}
