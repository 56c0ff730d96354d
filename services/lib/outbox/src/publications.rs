//! Spans of publication, one for each fact that got its number while this process had a stream.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use telemetry::PastWork;
use uuid::Uuid;

use crate::{position::Position, proto::Fact};

/// The publications of one schema. Clones share what is recorded.
#[derive(Clone, Debug)]
pub(super) struct Publications {
    schema: &'static str,
    recorded: Arc<Mutex<Recorded>>,
}

#[derive(Debug, Default)]
struct Recorded {
    /// The open streams. Without one, nothing says when a fact got its number.
    streams: usize,
    /// The facts up to here are recorded, or older than the streams.
    up_to: Position,
}

/// An open stream, until it is dropped.
#[derive(Debug)]
pub(super) struct OpenStream(Arc<Mutex<Recorded>>);

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).streams -= 1;
    }
}

impl Publications {
    pub fn new(schema: &'static str) -> Self {
        Self { schema, recorded: Arc::default() }
    }

    /// Notes a stream that was opened when `newest` was the newest fact.
    pub fn open(&self, newest: Position) -> OpenStream {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        if recorded.streams == 0 || recorded.up_to.history != newest.history {
            recorded.up_to = newest;
        }
        recorded.streams += 1;
        OpenStream(Arc::clone(&self.recorded))
    }

    /// Records the facts, in order, that are not recorded yet.
    pub fn record(&self, history: Option<Uuid>, facts: &[Fact]) {
        self.next(history, facts).iter().for_each(|fact| self.record_one(fact));
    }

    fn next<'a>(&self, history: Option<Uuid>, facts: &'a [Fact]) -> &'a [Fact] {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        if recorded.up_to.history != history {
            return &[];
        }
        let next = following(facts, recorded.up_to.seq);
        if let Some(last) = next.last() {
            recorded.up_to.seq = last.seq;
        }
        next
    }

    /// Records the span from the change to the moment at which its fact has a number and can be read.
    fn record_one(&self, fact: &Fact) {
        let created = fact.created_at.and_then(|at| SystemTime::try_from(at).ok());
        let publication = PastWork {
            operation: "publish",
            operation_type: "send",
            kind: &fact.kind,
            service: self.schema,
            source: self.schema,
            id: fact.seq,
            traceparent: &fact.traceparent,
        };
        publication.record(created.unwrap_or_else(SystemTime::now));
    }
}

/// Returns the facts after `position`.
pub(super) fn following(facts: &[Fact], position: i64) -> &[Fact] {
    facts.get(facts.partition_point(|fact| fact.seq <= position)..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTORY: Option<Uuid> = Some(Uuid::from_u128(1));
    const OTHER: Option<Uuid> = Some(Uuid::from_u128(2));

    fn facts(seqs: std::ops::RangeInclusive<i64>) -> Vec<Fact> {
        seqs.map(|seq| Fact { seq, ..Fact::default() }).collect()
    }

    fn at(history: Option<Uuid>, seq: i64) -> Position {
        Position { history, seq }
    }

    #[test]
    fn a_fact_newer_than_the_streams_is_recorded_once() {
        let publications = Publications::new("feed");
        let seqs = |history, read| publications.next(history, &facts(read)).iter().map(|f| f.seq).collect::<Vec<_>>();
        let one = publications.open(at(HISTORY, 2));
        assert_eq!(seqs(HISTORY, 1..=4), [3, 4], "the first two are older");
        let other = publications.open(at(HISTORY, 5));
        assert_eq!(seqs(HISTORY, 1..=2), [0; 0], "read by a stream that is behind");
        assert_eq!(seqs(HISTORY, 4..=6), [5, 6], "the second stream takes nothing from the first");
        drop((one, other));
        let _again = publications.open(at(HISTORY, 8));
        assert_eq!(seqs(HISTORY, 7..=9), [9], "7 and 8 got their numbers without a stream");
        assert_eq!(seqs(OTHER, 1..=9), [0; 0], "of another history");
        let _restored = publications.open(at(OTHER, 3));
        assert_eq!(seqs(OTHER, 3..=4), [4]);
    }
}
