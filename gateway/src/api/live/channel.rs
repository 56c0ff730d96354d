//! Messages to the streams of a member on every gateway: typing indicators, and interests that arrive at another gateway.

use std::time::Duration;

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    api::live::{
        interests::{Origin, Topic},
        views::LiveParticipant,
    },
    edge::cache::{Cache, Subscription},
};

/// The interval of the session check of a stream, with which the stream announces itself.
pub const SESSION_CHECK: Duration = Duration::from_secs(60);
/// The time after which a stream that no longer announces itself is forgotten.
const ANNOUNCED_FOR: Duration = SESSION_CHECK.saturating_mul(2);
/// The space of the cache with the member of each stream.
const STREAMS: &str = "live-streams";

/// A message to the streams of a member.
#[derive(Serialize, Deserialize)]
pub enum ChannelMessage {
    /// A participant is typing.
    Typing(LiveParticipant),
    /// The interests of a stream.
    Interests(Uuid, Vec<(Topic, Origin)>),
}

fn channel(member: Uuid) -> String {
    format!("member:{member}")
}

/// Publishes a message to the streams of a member, on every gateway.
pub async fn publish(cache: &Cache, member: Uuid, message: &ChannelMessage) {
    let message = serde_json::to_vec(message).unwrap_or_default();
    cache.publish(&channel(member), Bytes::from(message)).await;
}

/// Subscribes to the messages to the streams of a member.
pub async fn subscribe(cache: &Cache, member: Uuid) -> Subscription {
    cache.subscribe(&channel(member)).await
}

/// Announces the stream of a member to the other gateways, until the next session check.
pub async fn announce(cache: &Cache, stream: Uuid, member: Uuid) {
    let member = Bytes::copy_from_slice(member.as_bytes());
    cache.set(STREAMS, &stream.to_string(), member, ANNOUNCED_FOR).await;
}

/// Returns whether a gateway has announced that the stream belongs to the member.
pub async fn is_announced(cache: &Cache, stream: Uuid, member: Uuid) -> bool {
    cache.get(STREAMS, &stream.to_string()).await.is_some_and(|owner| owner.as_ref() == member.as_bytes())
}
