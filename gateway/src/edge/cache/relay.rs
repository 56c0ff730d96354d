//! Relays the messages of Redis to the subscribers of this process, over one connection that reconnects.

use std::{collections::HashSet, sync::Arc, time::Duration};

use axum::body::Bytes;
use futures::StreamExt as _;
use redis::{
    Client, RedisResult, Value,
    aio::{PubSubSink, PubSubStream},
};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{interval, sleep, timeout},
};

use crate::edge::cache::hub::{ChannelEvent, Hub};

/// The timeout of a connection attempt. No caller waits for it.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// The delay between connection attempts.
pub(super) const RECONNECT_DELAY: Duration = Duration::from_millis(500);
/// The interval of pings, which detect a dead connection.
const PING_INTERVAL: Duration = Duration::from_secs(5);

/// The connection is closed or does not answer.
struct Broken;

/// Runs until aborted, with the next of `nodes` after each failure: any node of a cluster relays all messages. `changes` contains the
/// channels that gained their first or lost their last subscriber.
pub(super) async fn run(nodes: Vec<Client>, hub: Arc<Hub>, mut changes: UnboundedReceiver<String>) {
    for client in nodes.iter().cycle() {
        if let Ok(Ok(connection)) = timeout(CONNECT_TIMEOUT, client.get_async_pubsub()).await {
            let (sink, stream) = connection.split();
            let mut joined = Joined { sink, channels: HashSet::new(), hub: &hub };
            let Err(Broken) = relay(&mut joined, stream, &mut changes).await;
            joined.channels.iter().for_each(|channel| hub.joined(channel, false));
        }
        sleep(RECONNECT_DELAY).await;
        // The next connection subscribes to all channels, so earlier changes are obsolete.
        while changes.try_recv().is_ok() {}
    }
}

async fn relay(
    joined: &mut Joined<'_>,
    mut stream: PubSubStream,
    changes: &mut UnboundedReceiver<String>,
) -> Result<std::convert::Infallible, Broken> {
    for channel in joined.hub.names() {
        joined.update(channel).await?;
    }
    let mut ping = interval(PING_INTERVAL);
    loop {
        tokio::select! {
            Some(channel) = changes.recv() => joined.update(channel).await?,
            message = stream.next() => {
                let message = message.ok_or(Broken)?;
                let bytes = Bytes::copy_from_slice(message.get_payload_bytes());
                joined.hub.deliver(message.get_channel_name(), &ChannelEvent::Message(bytes));
            }
            _ = ping.tick() => {
                let _: Value = answered(joined.sink.ping()).await?;
            }
        }
    }
}

/// The channels that this connection subscribes to.
struct Joined<'a> {
    sink: PubSubSink,
    channels: HashSet<String>,
    hub: &'a Hub,
}

impl Joined<'_> {
    /// Subscribes to the channel in Redis if it has subscribers, else unsubscribes.
    async fn update(&mut self, channel: String) -> Result<(), Broken> {
        if self.hub.has(&channel) {
            if !self.channels.contains(&channel) {
                answered(self.sink.subscribe(&channel)).await?;
            }
            self.hub.joined(&channel, true);
            self.channels.insert(channel);
        } else if self.channels.remove(&channel) {
            answered(self.sink.unsubscribe(&channel)).await?;
        }
        Ok(())
    }
}

async fn answered<T>(command: impl Future<Output = RedisResult<T>>) -> Result<T, Broken> {
    timeout(CONNECT_TIMEOUT, command).await.map_err(|_| Broken)?.map_err(|_| Broken)
}
