//! The live events, and the facts of messaging as live events.

use std::time::Duration;

use axum::response::sse::Event;
use outbox::proto::Fact;
use portia_proto::messaging::{ConversationChanged, ConversationRead, MessageSent, NotificationsChanged};
use prost::{Message as _, Name as _};
use serde::Serialize;
use uuid::Uuid;

use crate::api::live::views::{LiveConversation, LiveMessage, LiveParticipant};

/// The time after which a browser reconnects.
const RECONNECT_DELAY: Duration = Duration::from_secs(2);

/// The first event of a stream: read everything again.
pub fn first() -> Event {
    hello().retry(RECONNECT_DELAY)
}

/// Events may be missing: read everything again.
pub fn hello() -> Event {
    event("hello", "{}")
}

/// The stream ends: reconnect.
pub fn bye() -> Event {
    event("bye", "{}")
}

/// A participant is typing.
pub fn typing(participant: &LiveParticipant) -> Event {
    with_data("typing", participant)
}

/// The members to notify of a fact, with the event; none for other facts.
pub fn of(fact: &Fact) -> Vec<(Uuid, Event)> {
    events_of(fact).unwrap_or_default()
}

fn events_of(fact: &Fact) -> Option<Vec<(Uuid, Event)>> {
    let payload = fact.payload.as_slice();
    let (members, event) = if fact.kind == MessageSent::full_name() {
        let MessageSent { conversation_id, message_id, sender_id, recipient_id } = MessageSent::decode(payload).ok()?;
        let message = LiveMessage { conversation_id, message_id, user_id: sender_id.clone() };
        (vec![Some(sender_id), recipient_id], with_data("message", &message))
    } else if fact.kind == ConversationRead::full_name() {
        let ConversationRead { conversation_id, reader_id, other_member_id } =
            ConversationRead::decode(payload).ok()?;
        let read = LiveParticipant { conversation_id, user_id: reader_id.clone() };
        (vec![Some(reader_id), other_member_id], with_data("conversation-read", &read))
    } else if fact.kind == ConversationChanged::full_name() {
        let ConversationChanged { conversation_id, member_id } = ConversationChanged::decode(payload).ok()?;
        (vec![Some(member_id)], with_data("conversation", &LiveConversation { conversation_id }))
    } else if fact.kind == NotificationsChanged::full_name() {
        let NotificationsChanged { member_id } = NotificationsChanged::decode(payload).ok()?;
        (vec![Some(member_id)], event("notification", "{}"))
    } else {
        return None;
    };
    let members = members.into_iter().flatten().filter_map(|member| member.parse().ok());
    Some(members.map(|member| (member, event.clone())).collect())
}

fn with_data(name: &'static str, data: &impl Serialize) -> Event {
    // Ids in a struct always become JSON.
    event(name, &serde_json::to_string(data).unwrap_or_default())
}

fn event(name: &'static str, data: &str) -> Event {
    Event::default().event(name).data(data)
}
