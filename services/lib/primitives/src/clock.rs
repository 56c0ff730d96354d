//! The current time as an input: production reads the system clock, tests use a fixed one.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

/// A source of the current time, in UTC and whole microseconds (the precision of Postgres).
#[derive(Clone, Debug, Default)]
pub struct Clock(Option<Arc<AtomicI64>>);

impl Clock {
    /// The system clock.
    #[must_use]
    pub const fn system() -> Self {
        Self(None)
    }

    /// A clock that stands still until [`Self::advance`]. Clones share the time.
    #[must_use]
    pub fn fixed(at: DateTime<Utc>) -> Self {
        Self(Some(Arc::new(AtomicI64::new(at.timestamp_micros()))))
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.0 {
            Some(fixed) => fixed.load(Ordering::Relaxed),
            #[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
            None => Utc::now().timestamp_micros(),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or_default()
    }

    /// Moves a fixed clock forward. No effect on the system clock.
    pub fn advance(&self, by: TimeDelta) {
        if let Some(fixed) = &self.0 {
            fixed.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }
}

/// A time as a protobuf message carries it.
#[must_use]
pub fn timestamp(at: DateTime<Utc>) -> prost_types::Timestamp {
    // chrono represents a leap second with more than 999,999,999 nanoseconds; protobuf does not.
    let nanos = i32::try_from(at.timestamp_subsec_nanos().min(999_999_999)).unwrap_or_default();
    prost_types::Timestamp { seconds: at.timestamp(), nanos }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_before_1970_keeps_its_fraction() {
        let at = DateTime::from_timestamp_micros(-1).unwrap();
        assert_eq!(timestamp(at), prost_types::Timestamp { seconds: -1, nanos: 999_999_000 });
    }

    #[test]
    fn clones_of_a_fixed_clock_share_the_time() {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH);
        let clone = clock.clone();
        clock.advance(TimeDelta::seconds(5));
        assert_eq!(clone.now().timestamp(), 5);
    }
}
