//! Rate limits by the generic cell rate algorithm.

use std::time::Duration;

/// A rate limit: a burst of `count`, refilled by one every `per / count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The burst; 0 permits nothing.
    pub count: u32,
    /// The time in which an exhausted limit refills.
    pub per: Duration,
}

impl Limit {
    /// `Limit::new(10, Duration::from_secs(60))`: ten a minute.
    #[must_use]
    pub const fn new(count: u32, per: Duration) -> Self {
        Self { count, per }
    }
}

/// A rate limit is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("rate limit exhausted; retry in {} ms", after.as_millis())]
pub struct RateLimited {
    /// The time from `now` until the next attempt can succeed.
    pub after: Duration,
}

/// A rate limit in microseconds, for the generic cell rate algorithm (GCRA) of both stores.
///
/// The state of a key is one number: the time at which the limit is full again. An action moves it `step` later, and is
/// refused when the result is more than `window` ahead.
#[derive(Clone, Copy)]
pub struct Gcra {
    pub step: u64,
    pub window: u64,
}

impl Gcra {
    pub fn of(limit: Limit) -> Option<Self> {
        let per = u64::try_from(limit.per.as_micros()).unwrap_or(u64::MAX);
        let count = u64::from(limit.count);
        let step = per.checked_div(count)?.max(1);
        Some(Self { step, window: step.saturating_mul(count) })
    }
}
