//! The time, as an input: production reads the system's clock, tests hold their own.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

/// A source of the present moment, in UTC and whole microseconds (what Postgres keeps).
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// The system's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still until it is moved. Clones move together.
    #[must_use]
    pub fn fixed(at: DateTime<Utc>) -> Self {
        Self(Some(Arc::new(AtomicI64::new(at.timestamp_micros()))))
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.0 {
            Some(held) => held.load(Ordering::Relaxed),
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
            None => Utc::now().timestamp_micros(),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or_default()
    }

    /// Moves a fixed clock forward; the system's clock takes no orders.
    pub fn advance(&self, by: TimeDelta) {
        if let Some(held) = &self.0 {
            held.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }
}

/// A moment as messages carry it.
#[must_use]
pub fn timestamp(at: DateTime<Utc>) -> prost_types::Timestamp {
    // No moment Postgres or a clock knows has more than 999,999,999 nanoseconds; a leap second's are cut.
    let nanos = i32::try_from(at.timestamp_subsec_nanos().min(999_999_999)).unwrap_or_default();
    prost_types::Timestamp { seconds: at.timestamp(), nanos }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_before_1970_keeps_its_fraction() {
        let at = DateTime::from_timestamp_micros(-1).unwrap();
        assert_eq!(timestamp(at), prost_types::Timestamp { seconds: -1, nanos: 999_999_000 });
    }

    #[test]
    fn clones_of_a_fixed_clock_move_together() {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH);
        let twin = clock.clone();
        clock.advance(TimeDelta::seconds(5));
        assert_eq!(twin.now().timestamp(), 5);
    }
}
