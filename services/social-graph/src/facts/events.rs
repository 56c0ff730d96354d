//! What is told of events. As with communities, closed accounts are nobody's news: whoever comes still does.

use chrono::{DateTime, Utc};
use outbox::Outbox;
use portia_proto::social_graph::{EventAttended, EventChanged, EventRemoved, EventUnattended};
use sqlx::PgConnection;
use uuid::Uuid;

type Told = Result<(), sqlx::Error>;

/// What others know of an event.
#[derive(Clone, Copy, Debug)]
pub struct Announced<'a> {
    pub id: Uuid,
    /// None once that account is gone.
    pub organiser: Option<Uuid>,
    pub title: &'a str,
    pub revision: i32,
    /// Whether it takes place elsewhere or at another time than before: what matters to whoever comes.
    pub moved: bool,
}

/// Tells how an event is from now on.
pub async fn told(outbox: &Outbox, db: &mut PgConnection, event: &Announced<'_>, at: DateTime<Utc>) -> Told {
    let stands = changed(event.id, event.organiser, event.title, event.revision);
    let fact = EventChanged { moved: event.moved, ..stands };
    outbox.publish(db, event.id, &fact, at).await
}

/// Tells that an event was called off.
pub async fn removed(outbox: &Outbox, db: &mut PgConnection, event: Uuid, at: DateTime<Utc>) -> Told {
    outbox.publish(db, event, &EventRemoved { event_id: event.to_string() }, at).await
}

/// Tells that a member comes.
pub async fn joined(outbox: &Outbox, db: &mut PgConnection, event: Uuid, member: Uuid, at: DateTime<Utc>) -> Told {
    outbox.publish(db, event, &attended(event, member), at).await
}

/// Tells that a member does not come any more.
pub async fn left(outbox: &Outbox, db: &mut PgConnection, event: Uuid, member: Uuid, at: DateTime<Utc>) -> Told {
    let fact = EventUnattended { event_id: event.to_string(), member_id: member.to_string() };
    outbox.publish(db, event, &fact, at).await
}

/// An event as it stands, not what became of it.
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
