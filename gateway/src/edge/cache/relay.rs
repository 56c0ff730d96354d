//! Brings what is published in Redis to this process's listeners, over one connection made anew when it breaks.

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

use crate::edge::cache::hub::{Heard, Hub};

/// The timeout of a connection attempt; no caller waits for it.
pub(super) const CONNECT: Duration = Duration::from_secs(1);
/// How often an absent Redis is knocked at.
pub(super) const KNOCK: Duration = Duration::from_millis(500);
/// How often a silent connection is asked whether it is still there.
const PING: Duration = Duration::from_secs(5);

/// The connection broke or fell silent.
struct Broken;

/// Runs until aborted. `changes` names the channels which got their first listener or lost their last.
pub(super) async fn run(client: Client, hub: Arc<Hub>, mut changes: UnboundedReceiver<String>) {
    loop {
        if let Ok(Ok(connection)) = timeout(CONNECT, client.get_async_pubsub()).await {
            let (sink, stream) = connection.split();
            let mut joined = Joined { sink, channels: HashSet::new(), hub: &hub };
            let Err(Broken) = pass_on(&mut joined, stream, &mut changes).await;
            joined.channels.iter().for_each(|channel| hub.joined(channel, false));
        }
        sleep(KNOCK).await;
        // The next connection subscribes to all channels, so earlier changes are obsolete.
        while changes.try_recv().is_ok() {}
    }
}

async fn pass_on(
    joined: &mut Joined<'_>,
    mut stream: PubSubStream,
    changes: &mut UnboundedReceiver<String>,
) -> Result<std::convert::Infallible, Broken> {
    for channel in joined.hub.names() {
        joined.update(channel).await?;
    }
    let mut ping = interval(PING);
    loop {
        tokio::select! {
            Some(channel) = changes.recv() => joined.update(channel).await?,
            message = stream.next() => {
                let message = message.ok_or(Broken)?;
                let bytes = Bytes::copy_from_slice(message.get_payload_bytes());
                joined.hub.deliver(message.get_channel_name(), &Heard::Message(bytes));
            }
            _ = ping.tick() => {
                let _: Value = answered(joined.sink.ping()).await?;
            }
        }
    }
}

/// The channels Redis passes on over this connection.
struct Joined<'a> {
    sink: PubSubSink,
    channels: HashSet<String>,
    hub: &'a Hub,
}

impl Joined<'_> {
    /// Makes Redis's view of a channel the hub's, as it is now.
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

async fn answered<T>(asked: impl Future<Output = RedisResult<T>>) -> Result<T, Broken> {
    timeout(CONNECT, asked).await.map_err(|_| Broken)?.map_err(|_| Broken)
}
