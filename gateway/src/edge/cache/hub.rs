//! The channels with subscribers in this process.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Bytes;
use futures::{Stream, StreamExt as _};
use tokio::{
    sync::{
        broadcast,
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        watch,
    },
    time::timeout,
};
use tokio_stream::wrappers::BroadcastStream;

/// The messages buffered for a slow subscriber. More are dropped and reported as missed.
const BACKLOG: usize = 64;

/// An event of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChannelEvent {
    /// A published message.
    Message(Bytes),
    /// Messages may be missing: read the state again.
    Missed,
}

/// The channels with subscribers in this process.
#[derive(Default)]
pub(super) struct Hub {
    channels: Mutex<HashMap<String, Channel>>,
    /// Receives the names of channels that appear or disappear.
    changes: OnceLock<UnboundedSender<String>>,
}

struct Channel {
    messages: broadcast::Sender<ChannelEvent>,
    /// Whether the relay receives this channel from Redis.
    joined: watch::Sender<bool>,
    subscribers: usize,
}

impl Hub {
    /// Subscribes to the messages of this process.
    pub(super) fn subscribe(hub: &Arc<Self>, name: String) -> Subscription {
        let guard = SubscriberGuard::new(hub, name);
        let messages = guard.messages();
        Subscription { messages, _guard: guard }
    }

    /// Subscribes to the messages of every replica; the relay must read the channel from Redis.
    ///
    /// After `timeout_after` the subscription starts without Redis, and receives [`ChannelEvent::Missed`] when Redis is ready.
    pub(super) async fn join(hub: &Arc<Self>, name: String, timeout_after: Duration) -> Subscription {
        let guard = SubscriberGuard::new(hub, name);
        if let Some(mut joined) = guard.joined() {
            // On a timeout the subscriber gets its stream too.
            let _ = timeout(timeout_after, joined.wait_for(|joined| *joined)).await;
        }
        let messages = guard.messages();
        Subscription { messages, _guard: guard }
    }

    /// Sends an event to the subscribers of this process.
    pub(super) fn deliver(&self, channel: &str, event: &ChannelEvent) {
        if let Some(channel) = self.channels().get(channel) {
            // Fails only when the last subscriber has just left.
            let _ = channel.messages.send(event.clone());
        }
    }

    /// The names of channels that appear or disappear from now on. For one relay: the first caller receives them.
    pub(super) fn changes(&self) -> UnboundedReceiver<String> {
        let (sender, receiver) = unbounded_channel();
        let _ = self.changes.set(sender);
        receiver
    }

    fn changed(&self, name: &str) {
        if let Some(changes) = self.changes.get() {
            // Fails only when the process ends.
            let _ = changes.send(name.to_owned());
        }
    }

    /// Whether `name` has subscribers.
    pub(super) fn has(&self, name: &str) -> bool {
        self.channels().contains_key(name)
    }

    /// Every channel with subscribers.
    pub(super) fn names(&self) -> Vec<String> {
        self.channels().keys().cloned().collect()
    }

    /// Records whether the relay receives `name` from Redis. Earlier subscribers may have missed messages.
    pub(super) fn joined(&self, name: &str, now: bool) {
        if let Some(channel) = self.channels().get(name) {
            let before = channel.joined.send_replace(now);
            if now && !before {
                // The channel had no subscribers, so no message is missing.
                let _ = channel.messages.send(ChannelEvent::Missed);
            }
        }
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<String, Channel>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a subscriber of a channel. The channel is removed with the last one.
struct SubscriberGuard {
    hub: Arc<Hub>,
    name: String,
}

impl SubscriberGuard {
    fn new(hub: &Arc<Hub>, name: String) -> Self {
        let mut channels = hub.channels();
        let channel = channels.entry(name.clone()).or_insert_with(|| Channel {
            messages: broadcast::Sender::new(BACKLOG),
            joined: watch::Sender::new(false),
            subscribers: 0,
        });
        channel.subscribers += 1;
        if channel.subscribers == 1 {
            hub.changed(&name);
        }
        drop(channels);
        Self { hub: Arc::clone(hub), name }
    }

    fn joined(&self) -> Option<watch::Receiver<bool>> {
        self.hub.channels().get(&self.name).map(|channel| channel.joined.subscribe())
    }

    fn messages(&self) -> Option<BroadcastStream<ChannelEvent>> {
        self.hub.channels().get(&self.name).map(|channel| BroadcastStream::new(channel.messages.subscribe()))
    }
}

impl Drop for SubscriberGuard {
    fn drop(&mut self) {
        let mut channels = self.hub.channels();
        if let Some(channel) = channels.get_mut(&self.name) {
            channel.subscribers -= 1;
            if channel.subscribers == 0 {
                channels.remove(&self.name);
                self.hub.changed(&self.name);
            }
        }
    }
}

/// The events of a channel. Dropping it unsubscribes.
pub struct Subscription {
    messages: Option<BroadcastStream<ChannelEvent>>,
    _guard: SubscriberGuard,
}

impl Stream for Subscription {
    type Item = ChannelEvent;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ChannelEvent>> {
        match &mut self.messages {
            Some(messages) => {
                messages.poll_next_unpin(cx).map(|event| event.map(|event| event.unwrap_or(ChannelEvent::Missed)))
            }
            None => Poll::Ready(None),
        }
    }
}
