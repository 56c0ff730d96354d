//! When to ask again: regularly while it works, with growing rests while it does not.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

/// How long who took on a crawl may be silent before another takes it over.
pub const LEASE: TimeDelta = TimeDelta::minutes(2);

/// The rest after the first failure is twice this.
const FIRST: Duration = Duration::from_secs(60);

/// When a source is due again, `now` being the end of its crawl.
///
/// A healthy one rests `every`, up to 5 % less or more by `jitter` (0 to 1, chance's or a test's), so that sources that
/// began together part. A failing one rests 2 minutes, then 4, 8 .., at most `every`. What the server itself asked for
/// (`retry_after`) is kept even where it is longer.
#[must_use]
pub fn next(
    now: DateTime<Utc>,
    every: Duration,
    failures_in_a_row: u32,
    retry_after: Option<Duration>,
    jitter: f64,
) -> DateTime<Utc> {
    let rest = if failures_in_a_row == 0 {
        // NaN is in no range: it is the middle.
        let chance = if (0.0..=1.0).contains(&jitter) { jitter } else { 0.5 };
        Duration::try_from_secs_f64(every.as_secs_f64() * (0.95 + 0.1 * chance)).unwrap_or(every)
    } else {
        FIRST.saturating_mul(1 << failures_in_a_row.min(24)).min(every)
    };
    let rest = rest.max(retry_after.unwrap_or_default());
    let rest = TimeDelta::from_std(rest).unwrap_or(TimeDelta::MAX);
    now.checked_add_signed(rest).unwrap_or(DateTime::<Utc>::MAX_UTC)
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
    fn a_healthy_source_keeps_its_rhythm_nearly() {
        assert_eq!(minutes(10 * HOUR, 0, None, 0.0), 570);
        assert_eq!(minutes(10 * HOUR, 0, None, 0.5), 600);
        assert_eq!(minutes(10 * HOUR, 0, None, 1.0), 630);
    }

    #[test]
    fn a_failing_one_is_left_alone_ever_longer() {
        let rests: Vec<i64> = (1..=9).map(|failures| minutes(6 * HOUR, failures, None, 0.0)).collect();
        assert_eq!(rests, [2, 4, 8, 16, 32, 64, 128, 256, 360]);
        assert_eq!(minutes(6 * HOUR, u32::MAX, None, 0.0), 360);
    }

    #[test]
    fn what_the_server_asks_for_is_kept() {
        assert_eq!(minutes(6 * HOUR, 1, Some(HOUR), 0.0), 60);
        assert_eq!(minutes(6 * HOUR, 1, Some(24 * HOUR), 0.0), 1_440);
        assert_eq!(minutes(6 * HOUR, 8, Some(HOUR), 0.0), 256);
    }

    proptest! {
        #[test]
        fn it_is_never_before_now(every in any::<Duration>(), failures in any::<u32>(), after in any::<Option<Duration>>(), jitter in any::<f64>()) {
            prop_assert!(next(DateTime::UNIX_EPOCH, every, failures, after, jitter) >= DateTime::UNIX_EPOCH);
        }
    }
}
