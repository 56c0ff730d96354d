//! The next due time: regular while crawls succeed, with growing delays while they fail.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Half the delay after the first failure.
const BACKOFF_UNIT: Duration = Duration::from_secs(60);

/// Returns when a source is due again, where `now` is the end of its crawl.
///
/// After a success it is due in `every`, up to 5 % less or more by `jitter` (0 to 1), so that sources that were configured
/// together are not crawled together. After failures it is due in 2 minutes, then 4, 8 .., at most `every`. A longer
/// `retry_after` of the server is respected.
pub fn next(
    now: DateTime<Utc>,
    every: Duration,
    failures: u32,
    retry_after: Option<Duration>,
    jitter: f64,
) -> DateTime<Utc> {
    let delay = if failures == 0 {
        // NaN is in no range and becomes the middle.
        let jitter = if (0.0..=1.0).contains(&jitter) { jitter } else { 0.5 };
        Duration::try_from_secs_f64(every.as_secs_f64() * (0.95 + 0.1 * jitter)).unwrap_or(every)
    } else {
        BACKOFF_UNIT.saturating_mul(1 << failures.min(24)).min(every)
    };
    let delay = delay.max(retry_after.unwrap_or_default());
    let delay = TimeDelta::from_std(delay).unwrap_or(TimeDelta::MAX);
    now.checked_add_signed(delay).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// A number between 0 and 1 from the random bits of the id of a crawl, which tests control.
pub fn jitter(crawl: Uuid) -> f64 {
    let bits = u16::try_from((crawl.as_u128() >> 16) & 0xffff).unwrap_or_default();
    f64::from(bits) / f64::from(u16::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    fn minutes(every: Duration, failures: u32, retry_after: Option<Duration>, jitter: f64) -> i64 {
        let now = DateTime::UNIX_EPOCH;
        (next(now, every, failures, retry_after, jitter) - now).num_minutes()
    }

    #[test]
    fn a_source_without_failures_is_due_after_the_interval_with_jitter() {
        assert_eq!(minutes(10 * HOUR, 0, None, 0.0), 570);
        assert_eq!(minutes(10 * HOUR, 0, None, 0.5), 600);
        assert_eq!(minutes(10 * HOUR, 0, None, 1.0), 630);
    }

    #[test]
    fn a_failing_source_is_due_with_growing_delays() {
        let delays: Vec<i64> = (1..=9).map(|failures| minutes(6 * HOUR, failures, None, 0.0)).collect();
        assert_eq!(delays, [2, 4, 8, 16, 32, 64, 128, 256, 360]);
        assert_eq!(minutes(6 * HOUR, u32::MAX, None, 0.0), 360);
    }

    #[test]
    fn a_longer_retry_after_is_respected() {
        assert_eq!(minutes(6 * HOUR, 1, Some(HOUR), 0.0), 60);
        assert_eq!(minutes(6 * HOUR, 1, Some(24 * HOUR), 0.0), 1_440);
        assert_eq!(minutes(6 * HOUR, 8, Some(HOUR), 0.0), 256);
    }

    #[test]
    fn jitter_is_between_0_and_1() {
        assert_eq!((jitter(Uuid::nil()), jitter(Uuid::max())), (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn the_next_crawl_is_never_before_now(every in any::<Duration>(), failures in any::<u32>(), after in any::<Option<Duration>>(), jitter in any::<f64>()) {
            prop_assert!(next(DateTime::UNIX_EPOCH, every, failures, after, jitter) >= DateTime::UNIX_EPOCH);
        }
    }
}
