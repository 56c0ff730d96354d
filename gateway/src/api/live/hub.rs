//! The live streams of this process, by member.

mod recent_changes;
#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use axum::response::sse::Event;
use chassis::{ServiceContext, config};
use chrono::{DateTime, Utc};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use outbox::proto::Fact;
use telemetry::PastWork;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::recent_changes::RecentChanges;
use crate::api::live::{
    events,
    facts::{Effect, SOURCES},
    interests::{Change, Changes, Interests, Origin, Topic, Watchers},
};

/// The buffered events of a stream. A reader with a full buffer is disconnected.
const BUFFER: usize = 64;
/// The maximum of streams of a member. The tabs of a browser share one.
const MAX_STREAMS: usize = 8;

/// The live streams. Clones share them.
#[derive(Clone, Default)]
pub struct Hub(Arc<Mutex<Streams>>);

#[derive(Default)]
struct Streams {
    /// The streams of each member, oldest first.
    by_member: HashMap<Uuid, Vec<Sender>>,
    /// The member of each session with a stream.
    members: HashMap<Uuid, Uuid>,
    watchers: Watchers,
    recent: RecentChanges,
    opened: u64,
    closed: bool,
}

/// The sender of a stream.
struct Sender {
    id: Uuid,
    number: u64,
    session: Uuid,
    interests: Interests,
    changes: Arc<Changes>,
    events: mpsc::Sender<Event>,
    ended: CancellationToken,
    closer: CancellationToken,
}

impl Sender {
    /// Buffers an event. A reader with a full buffer loses the stream and the connection. Whether the stream continues.
    fn send(&self, event: &Event) -> bool {
        match self.events.try_send(event.clone()) {
            Ok(()) => true,
            // The stream is being dropped.
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                counter!("live_streams_dropped_total").increment(1);
                self.ended.cancel();
                self.closer.cancel();
                false
            }
        }
    }

    /// Sends `bye`, so that the reader reconnects, and ends the stream after the buffered events.
    fn bye(self) {
        // A full buffer ends the stream too.
        let _ = self.events.try_send(events::bye());
    }
}

/// The work of sending what a fact says to the streams of this gateway.
fn delivery_of<'a>(fact: &'a Fact, source: &'a str) -> PastWork<'a> {
    PastWork {
        operation: "deliver",
        operation_type: "process",
        kind: &fact.kind,
        service: "gateway",
        source,
        id: fact.seq,
        traceparent: &fact.traceparent,
    }
}

impl Hub {
    /// The hub, fed by the facts of the services until the process drains.
    ///
    /// # Errors
    /// When the address of a service is not configured.
    pub fn open(context: &ServiceContext) -> Result<Self, config::Error> {
        let hub = Self::new();
        for (source, effects) in SOURCES {
            let streams = hub.clone();
            outbox::watch(context, source, move |delivery| match delivery {
                outbox::Delivery::Gap => streams.send_hello_to_all(),
                outbox::Delivery::Fact(fact) => {
                    let began = SystemTime::now();
                    if let Some(effects) = effects(fact) {
                        effects.into_iter().for_each(|effect| streams.apply(effect));
                        delivery_of(fact, source).record(began);
                    }
                }
            })?;
        }
        let (draining, closing) = (context.tasks.draining(), hub.clone());
        context.tasks.spawn("live", move |stopped| {
            let (draining, closing) = (draining.clone(), closing.clone());
            async move {
                tokio::select! {
                    () = draining.cancelled() => {}
                    () = stopped.cancelled() => {}
                }
                closing.close();
                Ok(())
            }
        });
        Ok(hub)
    }

    /// A hub without streams.
    pub fn new() -> Self {
        describe_gauge!("live_streams", "Live streams that are open");
        describe_counter!("live_streams_dropped_total", "Live streams ended because the reader was too slow");
        // A counter that does not exist before its first increment has no rate to alert on.
        gauge!("live_streams").increment(0);
        counter!("live_streams_dropped_total").increment(0);
        Self::default()
    }

    /// Opens the stream `id` of a session, which starts with hello. `closer` closes its connection.
    pub fn subscribe(&self, id: Uuid, member: Uuid, session: Uuid, closer: CancellationToken) -> LiveStream {
        let (events_sender, events) = mpsc::channel(BUFFER);
        let (ended, changes) = (CancellationToken::new(), Arc::<Changes>::default());
        let mut streams = self.streams();
        streams.opened += 1;
        let sender = Sender {
            id,
            number: streams.opened,
            session,
            interests: Interests::new(),
            changes: Arc::clone(&changes),
            events: events_sender,
            ended: ended.clone(),
            closer,
        };
        let stream = LiveStream { hub: self.clone(), id, member, number: sender.number, events, changes, ended };
        gauge!("live_streams").increment(1);
        sender.send(&events::first(id));
        if streams.closed {
            sender.bye();
        } else {
            streams.add(member, sender);
        }
        stream
    }

    fn apply(&self, effect: Effect) {
        match effect {
            Effect::Notify(members, event) => members.iter().for_each(|member| self.send_to(*member, &event)),
            Effect::Publish(change, at) => self.publish(change, at),
            Effect::Leave(member, community) => {
                self.streams().unwatch(member, |origin| origin.community == Some(community));
            }
            Effect::Hide(community) => self.streams().hide(community),
            Effect::Separate(one, other) => {
                let mut streams = self.streams();
                for (member, hidden) in [(one, other), (other, one)] {
                    streams.unwatch(member, |origin| origin.member == Some(hidden));
                }
            }
        }
    }

    /// Sends an event to the streams of a member.
    pub fn send_to(&self, member: Uuid, event: &Event) {
        self.streams().send(member, |_| event.clone());
    }

    /// Sends a change to the streams that watch its topic.
    pub fn publish(&self, change: Change, at: DateTime<Utc>) {
        let streams = self.streams();
        streams.recent.insert(change, at);
        streams.watchers.push(change, at);
    }

    /// Sends hello to every stream after a gap.
    pub fn send_hello_to_all(&self) {
        let mut streams = self.streams();
        for member in streams.by_member.keys().copied().collect::<Vec<_>>() {
            streams.send(member, |sender| events::hello(sender.id));
        }
    }

    /// The interests of a stream of the member in this process.
    pub fn interests(&self, member: Uuid, id: Uuid) -> Option<Interests> {
        self.streams().find(member, id).map(|sender| sender.interests.clone())
    }

    /// Replaces the interests of a stream of the member, which receives the recent changes of new ones. The `carried` ones were
    /// not confirmed again: a block or a departure may have ended them since they were read. Whether this process has the stream.
    pub fn watch(&self, member: Uuid, id: Uuid, mut interests: Interests, carried: &HashSet<Topic>) -> bool {
        let mut streams = self.streams();
        let Some(sender) = streams.find(member, id) else { return false };
        interests.retain(|topic, _| !carried.contains(topic) || sender.interests.contains_key(topic));
        streams.watch(member, id, interests)
    }

    /// Ends the streams of a session at once.
    pub fn end(&self, session: Uuid) {
        let mut streams = self.streams();
        let Some(member) = streams.members.get(&session).copied() else { return };
        for sender in streams.remove(member, |sender| sender.session == session) {
            sender.ended.cancel();
        }
    }

    /// Ends every stream, so that readers reconnect to another replica. Later streams end at once.
    pub fn close(&self) {
        let mut streams = self.streams();
        streams.closed = true;
        streams.members.clear();
        streams.watchers = Watchers::default();
        mem::take(&mut streams.by_member).into_values().flatten().for_each(Sender::bye);
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn add(&mut self, member: Uuid, sender: Sender) {
        let own = self.by_member.get(&member).map_or(&[][..], Vec::as_slice);
        if let Some(oldest) = own.first().filter(|_| own.len() >= MAX_STREAMS).map(|sender| sender.number) {
            self.remove(member, |sender| sender.number == oldest).into_iter().for_each(Sender::bye);
        }
        self.members.insert(sender.session, member);
        self.by_member.entry(member).or_default().push(sender);
    }

    fn send(&mut self, member: Uuid, event_for: impl Fn(&Sender) -> Event) {
        self.remove(member, |sender| !sender.send(&event_for(sender)));
    }

    fn find(&mut self, member: Uuid, id: Uuid) -> Option<&mut Sender> {
        self.by_member.get_mut(&member)?.iter_mut().find(|sender| sender.id == id)
    }

    fn watch(&mut self, member: Uuid, id: Uuid, interests: Interests) -> bool {
        let Some(sender) = self.find(member, id) else { return false };
        let (number, changes) = (sender.number, Arc::clone(&sender.changes));
        let previous = mem::replace(&mut sender.interests, interests.clone());
        previous.keys().for_each(|topic| self.watchers.remove(*topic, number));
        for topic in interests.keys() {
            self.watchers.add(*topic, number, &changes);
            if !previous.contains_key(topic) {
                self.recent.of(*topic).for_each(|(change, at)| changes.push(change, at));
            }
        }
        changes.retain(|topic| interests.contains_key(&topic));
        true
    }

    /// Ends the interests of the member's streams that `is_over` selects by their origin.
    fn unwatch(&mut self, member: Uuid, is_over: impl Fn(Origin) -> bool) {
        let own = self.by_member.get(&member).map_or(&[][..], Vec::as_slice);
        let remaining = own.iter().map(|sender| {
            let interests = sender.interests.iter().map(|(topic, origin)| (*topic, *origin));
            (sender.id, interests.filter(|(_, origin)| !is_over(*origin)).collect())
        });
        for (id, interests) in remaining.collect::<Vec<_>>() {
            self.watch(member, id, interests);
        }
    }

    /// Ends the interests in content of a community of the streams that do not watch its posts: these are for members only. An invited
    /// member watches it again with the next interests.
    fn hide(&mut self, community: Uuid) {
        let streams = self.by_member.iter().flat_map(|(member, own)| own.iter().map(move |sender| (*member, sender)));
        let outside = streams.filter(|(_, Sender { interests, .. })| {
            interests.contains_key(&Topic::Community(community))
                && !interests.contains_key(&Topic::NewPosts(Some(community)))
        });
        let remaining = outside.map(|(member, sender)| {
            let mut interests = sender.interests.clone();
            interests.retain(|_, origin| origin.community != Some(community));
            (member, sender.id, interests)
        });
        for (member, id, interests) in remaining.collect::<Vec<_>>() {
            self.watch(member, id, interests);
        }
    }

    /// Removes streams of a member, and the entries of sessions and members without a stream.
    fn remove(&mut self, member: Uuid, mut matches: impl FnMut(&Sender) -> bool) -> Vec<Sender> {
        let Some(own) = self.by_member.get_mut(&member) else { return Vec::new() };
        let removed: Vec<Sender> = own.extract_if(.., |sender| matches(sender)).collect();
        for sender in &removed {
            sender.interests.keys().for_each(|topic| self.watchers.remove(*topic, sender.number));
            if !own.iter().any(|other| other.session == sender.session) {
                self.members.remove(&sender.session);
            }
        }
        if own.is_empty() {
            self.by_member.remove(&member);
        }
        removed
    }
}

/// The receiving end of a stream. Dropping it removes the stream from the hub.
pub struct LiveStream {
    hub: Hub,
    /// The id of the stream.
    pub id: Uuid,
    /// The member whose stream it is.
    pub member: Uuid,
    number: u64,
    /// The events for the member.
    pub events: mpsc::Receiver<Event>,
    /// The changes of what the stream watches.
    pub changes: Arc<Changes>,
    /// Cancelled when the stream ends at once, without the buffered events.
    pub ended: CancellationToken,
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        gauge!("live_streams").decrement(1);
        self.hub.streams().remove(self.member, |sender| sender.number == self.number);
    }
}
