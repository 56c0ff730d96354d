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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_fixed_clock_move_together() {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH);
        let twin = clock.clone();
        clock.advance(TimeDelta::seconds(5));
        assert_eq!(twin.now().timestamp(), 5);
    }
}
