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

/// Events on their way to one reader; who has not taken that many takes none any more.
const PLACES: usize = 64;
/// Streams a member has here at most: browsers, since a browser's tabs share one.
const STREAMS: usize = 8;

/// Every stream; clones share them.
#[derive(Clone, Default)]
pub struct Hub(Arc<Mutex<Streams>>);

#[derive(Default)]
struct Streams {
    /// Each member's, the oldest first.
    of: HashMap<Uuid, Vec<Line>>,
    /// The member of each session with a stream.
    members: HashMap<Uuid, Uuid>,
    opened: u64,
    closed: bool,
}

/// The sender of a stream.
struct Line {
    number: u64,
    session: Uuid,
    events: mpsc::Sender<Event>,
    over: CancellationToken,
    hang_up: CancellationToken,
}

impl Line {
    /// Whether the reader keeps up; one who does not is cut off, connection and all.
    fn tell(&self, event: &Event) -> bool {
        match self.events.try_send(event.clone()) {
            Ok(()) => true,
            // Its seat is being cleared at this moment.
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                counter!("live_streams_dropped_total").increment(1);
                self.over.cancel();
                self.hang_up.cancel();
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

    /// Without streams.
    pub fn new() -> Self {
        describe_gauge!("live_streams", "Live streams that are open");
        describe_counter!("live_streams_dropped_total", "Live streams ended because the reader was too slow");
        // Series that appear with the first one have no rate to alert on.
        gauge!("live_streams").increment(0);
        counter!("live_streams_dropped_total").increment(0);
        Self::default()
    }

    /// Opens a stream of a session, which begins with hello. `hang_up` ends the connection it is on.
    pub fn subscribe(&self, member: Uuid, session: Uuid, hang_up: CancellationToken) -> Seat {
        let (sender, events) = mpsc::channel(PLACES);
        let over = CancellationToken::new();
        let mut streams = self.streams();
        streams.opened += 1;
        let line = Line { number: streams.opened, session, events: sender, over: over.clone(), hang_up };
        let seat = Seat { hub: self.clone(), member, number: line.number, events, over };
        gauge!("live_streams").increment(1);
        line.tell(&events::first());
        if streams.closed {
            line.bye();
        } else {
            streams.take_in(member, line);
        }
        seat
    }

    /// Sends an event to the streams of a member.
    pub fn send_to(&self, member: Uuid, event: &Event) {
        self.streams().tell(member, event);
    }

    /// Sends an event to every stream.
    pub fn send_to_all(&self, event: &Event) {
        let mut streams = self.streams();
        for member in streams.of.keys().copied().collect::<Vec<_>>() {
            streams.tell(member, event);
        }
    }

    /// Ends the streams of a session at once.
    pub fn end(&self, session: Uuid) {
        let mut streams = self.streams();
        let Some(member) = streams.members.get(&session).copied() else { return };
        for line in streams.take(member, |line| line.session == session) {
            line.over.cancel();
        }
    }

    /// Ends every stream, so that readers reconnect to another replica. Later streams end at once.
    pub fn close(&self) {
        let mut streams = self.streams();
        streams.closed = true;
        streams.members.clear();
        mem::take(&mut streams.of).into_values().flatten().for_each(Line::bye);
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streams {
    fn take_in(&mut self, member: Uuid, line: Line) {
        let own = self.of.get(&member).map_or(&[][..], Vec::as_slice);
        if let Some(oldest) = own.first().filter(|_| own.len() >= STREAMS).map(|line| line.number) {
            self.take(member, |line| line.number == oldest).into_iter().for_each(Line::bye);
        }
        self.members.insert(line.session, member);
        self.of.entry(member).or_default().push(line);
    }

    fn tell(&mut self, member: Uuid, event: &Event) {
        self.take(member, |line| !line.tell(event));
    }

    /// Removes streams of a member, and the entries of sessions and members without a stream.
    fn take(&mut self, member: Uuid, mut which: impl FnMut(&Line) -> bool) -> Vec<Line> {
        let Some(own) = self.of.get_mut(&member) else { return Vec::new() };
        let taken: Vec<Line> = own.extract_if(.., |line| which(line)).collect();
        for line in &taken {
            if !own.iter().any(|other| other.session == line.session) {
                self.members.remove(&line.session);
            }
        }
        if own.is_empty() {
            self.of.remove(&member);
        }
        taken
    }
}

/// The end of a stream that is read. Dropping it leaves the hub.
pub struct Seat {
    hub: Hub,
    member: Uuid,
    number: u64,
    /// The events of the stream.
    pub events: mpsc::Receiver<Event>,
    /// Cancelled when it is over at once, whatever is still on its way.
    pub over: CancellationToken,
}

impl Drop for Seat {
    fn drop(&mut self) {
        gauge!("live_streams").decrement(1);
        self.hub.streams().take(self.member, |line| line.number == self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: u128) -> Uuid {
        Uuid::from_u128(n)
    }

    fn subscribe(hub: &Hub, member: u128, session: u128) -> Seat {
        hub.subscribe(id(member), id(session), CancellationToken::new())
    }

    /// How many events wait, and whether more may come.
    fn left(seat: &mut Seat) -> (usize, bool) {
        let mut waiting = 0;
        loop {
            match seat.events.try_recv() {
                Ok(_) => waiting += 1,
                Err(mpsc::error::TryRecvError::Empty) => return (waiting, true),
                Err(mpsc::error::TryRecvError::Disconnected) => return (waiting, false),
            }
        }
    }

    #[test]
    fn an_event_reaches_every_stream_of_its_member_only() {
        let hub = Hub::new();
        let (mut one, mut two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 12), subscribe(&hub, 2, 21));
        hub.send_to(id(1), &events::hello());
        hub.send_to(id(3), &events::hello());
        assert_eq!([left(&mut one), left(&mut two), left(&mut other)], [(2, true), (2, true), (1, true)]);
        hub.send_to_all(&events::hello());
        assert_eq!([left(&mut one), left(&mut two), left(&mut other)], [(1, true); 3]);
    }

    #[test]
    fn nothing_is_kept_of_those_who_left() {
        let hub = Hub::new();
        let (one, two) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11));
        drop(one);
        assert!(hub.streams().members.contains_key(&id(11)), "the session has another stream");
        drop(two);
        let streams = hub.streams();
        assert!(streams.of.is_empty() && streams.members.is_empty());
    }

    #[test]
    fn an_ended_session_ends_its_streams_and_no_others() {
        let hub = Hub::new();
        let (one, two, mut other) = (subscribe(&hub, 1, 11), subscribe(&hub, 1, 11), subscribe(&hub, 1, 12));
        hub.end(id(11));
        hub.end(id(13));
        assert!(one.over.is_cancelled() && two.over.is_cancelled());
        assert_eq!((other.over.is_cancelled(), left(&mut other)), (false, (1, true)));
        drop((one, two));
        hub.send_to(id(1), &events::hello());
        assert_eq!(left(&mut other), (1, true), "those that ended left alone");
    }

    #[test]
    fn who_takes_nothing_is_dropped_with_the_connection() {
        let hub = Hub::new();
        let hang_up = CancellationToken::new();
        let asleep = hub.subscribe(id(1), id(11), hang_up.clone());
        let mut awake = subscribe(&hub, 1, 12);
        for n in 1..PLACES {
            hub.send_to(id(1), &events::hello());
            assert!(left(&mut awake).1 && !hang_up.is_cancelled(), "{n}");
        }
        hub.send_to(id(1), &events::hello());
        assert!(hang_up.is_cancelled() && asleep.over.is_cancelled());
        assert_eq!(left(&mut awake), (1, true));
        assert!(!hub.streams().members.contains_key(&id(11)));
    }

    #[test]
    fn the_ninth_stream_takes_the_place_of_the_first() {
        let hub = Hub::new();
        let mut seats: Vec<Seat> = (0..STREAMS as u128 + 1).map(|n| subscribe(&hub, 1, n)).collect();
        let ends: Vec<_> = seats.iter_mut().map(left).collect();
        assert_eq!(ends[0], (2, false), "hello and bye");
        assert_eq!(ends[1..], [(1, true); STREAMS]);
        assert!(!seats[0].over.is_cancelled(), "bye is still to be read");
    }

    #[test]
    fn closing_says_bye_to_those_there_are_and_those_who_come() {
        let hub = Hub::new();
        let mut before = subscribe(&hub, 1, 11);
        hub.close();
        let mut after = subscribe(&hub, 1, 11);
        assert_eq!([left(&mut before), left(&mut after)], [(2, false); 2]);
        assert!(hub.streams().of.is_empty() && hub.streams().members.is_empty());
    }
}
