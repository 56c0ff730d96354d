//! The live streams of this process, by member.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::response::sse::Event;
use chassis::{ServiceContext, config};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::api::live::events;

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
    opened: u64,
    closed: bool,
}

/// The sender of a stream.
struct Sender {
    number: u64,
    session: Uuid,
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

impl Hub {
    /// The hub, fed by the facts of messaging until the process drains.
    ///
    /// # Errors
    /// When the address of messaging is not configured.
    pub fn open(context: &ServiceContext) -> Result<Self, config::Error> {
        let hub = Self::new();
        let streams = hub.clone();
        outbox::watch(context, "messaging", move |delivery| match delivery {
            outbox::Delivery::Gap => streams.send_to_all(&events::hello()),
            outbox::Delivery::Fact(fact) => {
                events::of(fact).iter().for_each(|(member, event)| streams.send_to(*member, event))
            }
        })?;
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

    /// Opens a stream of a session, which starts with hello. `closer` closes its connection.
    pub fn subscribe(&self, member: Uuid, session: Uuid, closer: CancellationToken) -> LiveStream {
        let (events_sender, events) = mpsc::channel(BUFFER);
        let ended = CancellationToken::new();
        let mut streams = self.streams();
        streams.opened += 1;
        let sender = Sender { number: streams.opened, session, events: events_sender, ended: ended.clone(), closer };
        let stream = LiveStream { hub: self.clone(), member, number: sender.number, events, ended };
        gauge!("live_streams").increment(1);
        sender.send(&events::first());
        if streams.closed {
            sender.bye();
        } else {
            streams.add(member, sender);
        }
        stream
    }

    /// Sends an event to the streams of a member.
    pub fn send_to(&self, member: Uuid, event: &Event) {
        self.streams().send(member, event);
    }

    /// Sends an event to every stream.
    pub fn send_to_all(&self, event: &Event) {
        let mut streams = self.streams();
        for member in streams.by_member.keys().copied().collect::<Vec<_>>() {
            streams.send(member, event);
        }
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

    fn send(&mut self, member: Uuid, event: &Event) {
        self.remove(member, |sender| !sender.send(event));
    }

    /// Removes streams of a member, and the entries of sessions and members without a stream.
    fn remove(&mut self, member: Uuid, mut matches: impl FnMut(&Sender) -> bool) -> Vec<Sender> {
        let Some(own) = self.by_member.get_mut(&member) else { return Vec::new() };
        let removed: Vec<Sender> = own.extract_if(.., |sender| matches(sender)).collect();
        for sender in &removed {
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
    member: Uuid,
    number: u64,
    /// The events of the stream.
    pub events: mpsc::Receiver<Event>,
    /// Cancelled when the stream ends at once, without the buffered events.
    pub ended: CancellationToken,
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        gauge!("live_streams").decrement(1);
        self.hub.streams().remove(self.member, |sender| sender.number == self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    fn subscribe(hub: &Hub, member: u128, session: u128) -> LiveStream {
        hub.subscribe(id(member), id(session), CancellationToken::new())
    }

    /// The number of buffered events, and whether the stream is open.
    fn drain(stream: &mut LiveStream) -> (usize, bool) {
        let mut buffered = 0;
        loop {
            match stream.events.try_recv() {
                Ok(_) => buffered += 1,
                Err(mpsc::error::TryRecvError::Empty) => return (buffered, true),
                Err(mpsc::error::TryRecvError::Disconnected) => return (buffered, false),
            }
        }
    }

    #[test]
    fn an_event_reaches_every_stream_of_its_member_only() {
        let hub = Hub::new();
        let (mut one, mut two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 12), subscribe(&hub, 2, 21));
        hub.send_to(id(1), &events::hello());
        hub.send_to(id(3), &events::hello());
        assert_eq!([drain(&mut one), drain(&mut two), drain(&mut other)], [(2, true), (2, true), (1, true)]);
        hub.send_to_all(&events::hello());
        assert_eq!([drain(&mut one), drain(&mut two), drain(&mut other)], [(1, true); 3]);
    }

    #[test]
    fn a_dropped_stream_is_removed_from_the_hub() {
        let hub = Hub::new();
        let (one, two) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11));
        drop(one);
        assert!(hub.streams().members.contains_key(&id(11)), "the session has another stream");
        drop(two);
        let streams = hub.streams();
        assert!(streams.by_member.is_empty() && streams.members.is_empty());
    }

    #[test]
    fn an_ended_session_ends_its_streams_only() {
        let hub = Hub::new();
        let (one, two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11), subscribe(&hub, 1, 12));
        hub.end(id(11));
        hub.end(id(13));
        assert!(one.ended.is_cancelled() && two.ended.is_cancelled());
        assert_eq!((other.ended.is_cancelled(), drain(&mut other)), (false, (1, true)));
        drop((one, two));
        hub.send_to(id(1), &events::hello());
        assert_eq!(drain(&mut other), (1, true), "dropping ended streams leaves the others open");
    }

    #[test]
    fn a_stalled_reader_is_disconnected() {
        let hub = Hub::new();
        let closer = CancellationToken::new();
        let stalled = hub.subscribe(id(1), id(11), closer.clone());
        let mut reading = subscribe(&hub, 1, 12);
        for n in 1..BUFFER {
            hub.send_to(id(1), &events::hello());
            assert!(drain(&mut reading).1 && !closer.is_cancelled(), "{n}");
        }
        hub.send_to(id(1), &events::hello());
        assert!(closer.is_cancelled() && stalled.ended.is_cancelled());
        assert_eq!(drain(&mut reading), (1, true));
        assert!(!hub.streams().members.contains_key(&id(11)));
    }

    #[test]
    fn the_ninth_stream_of_a_member_replaces_the_first() {
        let hub = Hub::new();
        let mut opened: Vec<LiveStream> = (0..MAX_STREAMS as u128 + 1).map(|n| subscribe(&hub, 1, n)).collect();
        let ends: Vec<_> = opened.iter_mut().map(drain).collect();
        assert_eq!(ends[0], (2, false), "hello and bye");
        assert_eq!(ends[1..], [(1, true); MAX_STREAMS]);
        assert!(!opened[0].ended.is_cancelled(), "bye is still buffered");
    }

    #[test]
    fn closing_sends_bye_to_open_and_later_streams() {
        let hub = Hub::new();
        let mut before = subscribe(&hub, 1, 11);
        hub.close();
        let mut after = subscribe(&hub, 1, 11);
        assert_eq!([drain(&mut before), drain(&mut after)], [(2, false); 2]);
        assert!(hub.streams().by_member.is_empty() && hub.streams().members.is_empty());
    }
}
