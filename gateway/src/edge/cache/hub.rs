//! Who in this process listens on which channel, and the streams they hold.

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

/// Messages a slow listener may fall behind before it misses some.
const BACKLOG: usize = 64;

/// An event of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
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
    messages: broadcast::Sender<Heard>,
    /// Whether Redis passes this channel's messages on to us.
    joined: watch::Sender<bool>,
    listeners: usize,
}

impl Hub {
    /// Listens to what is published in this process.
    pub(super) fn listen(hub: &Arc<Self>, name: String) -> Subscription {
        let place = Permit::take(hub, name);
        let messages = place.messages();
        Subscription { messages, _place: place }
    }

    /// Subscribes to the messages of every replica; the relay must read the channel from Redis.
    ///
    /// If that takes longer than `timeout`, the subscription starts without it, and gets [`Heard::Missed`] when it is ready.
    pub(super) async fn join(hub: &Arc<Self>, name: String, timeout_after: Duration) -> Subscription {
        let place = Permit::take(hub, name);
        if let Some(mut joined) = place.joined() {
            // Too late or gone: either way the listener has its stream.
            let _ = timeout(timeout_after, joined.wait_for(|joined| *joined)).await;
        }
        let messages = place.messages();
        Subscription { messages, _place: place }
    }

    /// Passes a message on to this process's listeners.
    pub(super) fn deliver(&self, channel: &str, heard: &Heard) {
        if let Some(channel) = self.channels().get(channel) {
            // The subscriber has left: the channel is not needed.
            let _ = channel.messages.send(heard.clone());
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
            // The relay is gone only when the process is going.
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

    /// Redis passes `name` on from now, or no longer. Who listened before it did may have missed something.
    pub(super) fn joined(&self, name: &str, now: bool) {
        if let Some(channel) = self.channels().get(name) {
            let before = channel.joined.send_replace(now);
            if now && !before {
                // The channel had no subscribers, so no message is missing.
                let _ = channel.messages.send(Heard::Missed);
            }
        }
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<String, Channel>> {
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One listener's place in a channel; the last to leave closes it.
struct Permit {
    hub: Arc<Hub>,
    name: String,
}

impl Permit {
    fn take(hub: &Arc<Hub>, name: String) -> Self {
        let mut channels = hub.channels();
        let channel = channels.entry(name.clone()).or_insert_with(|| Channel {
            messages: broadcast::Sender::new(BACKLOG),
            joined: watch::Sender::new(false),
            listeners: 0,
        });
        channel.listeners += 1;
        if channel.listeners == 1 {
            hub.changed(&name);
        }
        drop(channels);
        Self { hub: Arc::clone(hub), name }
    }

    fn joined(&self) -> Option<watch::Receiver<bool>> {
        self.hub.channels().get(&self.name).map(|channel| channel.joined.subscribe())
    }

    fn messages(&self) -> Option<BroadcastStream<Heard>> {
        self.hub.channels().get(&self.name).map(|channel| BroadcastStream::new(channel.messages.subscribe()))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut channels = self.hub.channels();
        if let Some(channel) = channels.get_mut(&self.name) {
            channel.listeners -= 1;
            if channel.listeners == 0 {
                channels.remove(&self.name);
                self.hub.changed(&self.name);
            }
        }
    }
}

/// What is said on one channel. Dropping it stops listening.
pub struct Subscription {
    messages: Option<BroadcastStream<Heard>>,
    _place: Permit,
}

impl Stream for Subscription {
    type Item = Heard;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Heard>> {
        match &mut self.messages {
            Some(messages) => {
                messages.poll_next_unpin(cx).map(|heard| heard.map(|heard| heard.unwrap_or(Heard::Missed)))
            }
            None => Poll::Ready(None),
        }
    }
}
