//! Rate limits by the generic cell rate algorithm.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use chrono::{DateTime, Utc};

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

    /// The time at which the limit is full again after an action at `now`, or the microseconds until one is permitted.
    ///
    /// # Errors
    /// When the limit is exhausted.
    pub fn next(self, full_at: u64, now: u64) -> Result<u64, u64> {
        // Clamped to now when the limit is full, and to the window when the clock was set back.
        let next = full_at.clamp(now, now + self.window) + self.step;
        match next.saturating_sub(now + self.window) {
            0 => Ok(next),
            wait => Err(wait),
        }
    }
}

/// The actions of one key, for a holder who finds it without a cache.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// Counts one action against `limit`.
    ///
    /// # Errors
    /// [`RateLimited`] when the limit is exhausted. A refused action is not counted.
    pub fn take(&self, limit: Limit, now: DateTime<Utc>) -> Result<(), RateLimited> {
        let Some(pace) = Gcra::of(limit) else { return Err(RateLimited { after: limit.per }) };
        let now = u64::try_from(now.timestamp_micros()).unwrap_or_default();
        let mut full_at = self.0.load(Ordering::Relaxed);
        loop {
            let next = pace.next(full_at, now).map_err(|wait| RateLimited { after: Duration::from_micros(wait) })?;
            match self.0.compare_exchange_weak(full_at, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Ok(()),
                Err(other) => full_at = other,
            }
        }
    }
}
