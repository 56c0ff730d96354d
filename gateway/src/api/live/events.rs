//! The live events.

use std::time::Duration;

use axum::response::sse::Event;
use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::api::live::{
    interests::Change,
    views::{LiveCommunity, LiveEvent, LiveHello, LiveParticipant, LivePost, LivePostRef, LiveProfile},
};

/// The time after which a browser reconnects.
const RECONNECT_DELAY: Duration = Duration::from_secs(2);

/// The first event of a stream: read everything again.
pub fn first(stream_id: Uuid) -> Event {
    hello(stream_id).retry(RECONNECT_DELAY)
}

/// Events may be missing: read everything again.
pub fn hello(stream_id: Uuid) -> Event {
    with_data("hello", &LiveHello { stream_id })
}

/// The stream ends: reconnect.
pub fn bye() -> Event {
    event("bye", "{}")
}

/// A participant is typing.
pub fn typing(participant: &LiveParticipant) -> Event {
    with_data("typing", participant)
}

/// The notifications of the member changed.
pub fn notification() -> Event {
    event("notification", "{}")
}

/// A change of something that the stream watches. `since` is the earliest creation of new posts.
pub fn changed(change: Change, since: DateTime<Utc>) -> Event {
    match change {
        Change::Post(post_id) => with_data("post", &LivePost::changed(post_id)),
        Change::Comments(post_id) => with_data("comment", &LivePostRef { post_id }),
        Change::Reactions(post_id) => with_data("reaction", &LivePostRef { post_id }),
        Change::NewPosts(None) => with_data("post", &LivePost::new_in("feed", since)),
        Change::NewPosts(Some(community)) => {
            with_data("post", &LivePost::new_in(&format!("community:{community}"), since))
        }
        Change::NewPostsBy(member) => with_data("post", &LivePost::new_in(&format!("member:{member}"), since)),
        Change::Community(community_id) => with_data("membership", &LiveCommunity { community_id }),
        Change::Event(event_id) => with_data("event", &LiveEvent { event_id }),
        Change::Member(user_id) => with_data("profile", &LiveProfile { user_id }),
    }
}

/// An event with data.
pub fn with_data(name: &'static str, data: &impl Serialize) -> Event {
    // Ids in a struct always become JSON.
    event(name, &serde_json::to_string(data).unwrap_or_default())
}

fn event(name: &'static str, data: &str) -> Event {
    Event::default().event(name).data(data)
}
