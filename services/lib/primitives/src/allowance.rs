//! The number of requests that a member may send to members who do not know them. It grows with the age of the account,
//! and with each member who accepted one. A new account can be made in seconds; an old one with connections cannot.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use crate::ids;

/// The period of the daily allowance.
pub const PERIOD: TimeDelta = TimeDelta::days(1);

/// The allowances of an account up to an age: per day, and waiting for an answer.
const BY_AGE: [(TimeDelta, i64, i64); 3] =
    [(TimeDelta::days(1), 20, 20), (TimeDelta::days(7), 30, 60), (TimeDelta::days(30), 50, 150)];
/// The allowances of an older account.
const ESTABLISHED: (i64, i64) = (100, 300);
/// Each accepted request adds one to both allowances, up to this number.
pub const MAX_ACCEPTED: i64 = 200;

/// The allowances of a member at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in [`PERIOD`].
    pub per_day: i64,
    /// Requests that wait for an answer.
    pub waiting: i64,
}

impl Allowance {
    /// Returns the allowances of `member`. `accepted` is the number of accepted requests or members; `scale` multiplies
    /// the allowances.
    #[must_use]
    pub fn of(member: Uuid, accepted: i64, scale: u32, now: DateTime<Utc>) -> Self {
        let age = ids::created_at(member).map_or(TimeDelta::zero(), |created| now - created);
        let (per_day, waiting) = BY_AGE
            .iter()
            .find(|(up_to, ..)| age < *up_to)
            .map_or(ESTABLISHED, |(_, per_day, waiting)| (*per_day, *waiting));
        let (accepted, scale) = (accepted.clamp(0, MAX_ACCEPTED), i64::from(scale.max(1)));
        Self { per_day: (per_day + accepted) * scale, waiting: (waiting + accepted) * scale }
    }

    /// Returns the time in which one request of a day becomes free again.
    #[must_use]
    pub fn step(&self) -> TimeDelta {
        PERIOD / i32::try_from(self.per_day).unwrap_or(i32::MAX)
    }
}

/// The age up to which an account is new.
const NEW_FOR: TimeDelta = TimeDelta::hours(48);

/// Whether the account of `member` may do less to members who do not know it: in its first two days, and without a connection.
#[must_use]
pub fn is_new_account(member: Uuid, has_connections: bool, now: DateTime<Utc>) -> bool {
    !has_connections || ids::created_at(member).is_none_or(|created| now - created < NEW_FOR)
}

/// Takes an amount of `per_day`, which is wholly free again at `full_at`. Returns the next such time.
///
/// # Errors
/// The time after which the amount is free, when it is not.
pub fn take(full_at: DateTime<Utc>, amount: i64, per_day: i64, now: DateTime<Utc>) -> Result<DateTime<Utc>, Duration> {
    let period = PERIOD.num_microseconds().unwrap_or(i64::MAX);
    let step = i128::from(period) * i128::from(amount) / i128::from(per_day.max(1));
    let step = TimeDelta::microseconds(i64::try_from(step).unwrap_or(period).clamp(0, period.saturating_mul(2)));
    // A clock that was set back must not stop the member for longer than a day.
    let full_at = full_at.clamp(now, now + PERIOD) + step;
    let excess = full_at - now - PERIOD;
    if excess > TimeDelta::zero() { Err(excess.to_std().unwrap_or_default()) } else { Ok(full_at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(age: TimeDelta, accepted: i64, scale: u32) -> (i64, i64) {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let millis = u64::try_from((now - age).timestamp_millis()).unwrap();
        let member = uuid::Builder::from_unix_timestamp_millis(millis, &[7; 10]).into_uuid();
        let allowance = Allowance::of(member, accepted, scale, now);
        (allowance.per_day, allowance.waiting)
    }

    #[test]
    fn allowances_grow_with_age_and_accepted_requests() {
        assert_eq!(allowance(TimeDelta::zero(), 0, 1), (20, 20));
        assert_eq!(allowance(TimeDelta::days(1), 0, 1), (30, 60));
        assert_eq!(allowance(TimeDelta::days(29), 0, 1), (50, 150));
        assert_eq!(allowance(TimeDelta::days(30), 0, 1), (100, 300));
        assert_eq!(allowance(TimeDelta::zero(), 7, 1), (27, 27));
        assert_eq!(allowance(TimeDelta::zero(), 5_000, 1), (220, 220));
        assert_eq!(allowance(TimeDelta::zero(), 1, 1_000), (21_000, 21_000));
        assert_eq!(allowance(TimeDelta::minutes(-5), 0, 0), (20, 20), "a clock set back, and no scale");
    }

    #[test]
    fn an_account_is_new_for_two_days_and_without_a_connection() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let of_age = |age: TimeDelta| {
            let millis = u64::try_from((now - age).timestamp_millis()).unwrap();
            uuid::Builder::from_unix_timestamp_millis(millis, &[7; 10]).into_uuid()
        };
        assert!(is_new_account(of_age(TimeDelta::zero()), true, now));
        assert!(is_new_account(of_age(TimeDelta::hours(48) - TimeDelta::seconds(1)), true, now));
        assert!(!is_new_account(of_age(TimeDelta::hours(48)), true, now));
        assert!(is_new_account(of_age(TimeDelta::days(400)), false, now));
    }

    #[test]
    fn ten_a_day_are_ten_at_once_and_then_one_in_a_tenth_of_the_day() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut full_at = now;
        for _ in 0..10 {
            full_at = take(full_at, 1, 10, now).unwrap();
        }
        assert_eq!(take(full_at, 1, 10, now), Err(Duration::from_secs(8_640)));
        assert!(take(full_at, 1, 10, now + TimeDelta::seconds(8_640)).is_ok());
        assert_eq!(take(now, 11, 10, now), Err(Duration::from_secs(8_640)), "more than a day has");
        let set_back = now - TimeDelta::days(9);
        assert!(take(full_at, 1, 10, set_back).unwrap_err() <= Duration::from_hours(24));
    }

    #[test]
    fn a_request_becomes_free_again_within_the_day() {
        let allowance = Allowance { per_day: 24, waiting: 1 };
        assert_eq!(allowance.step(), TimeDelta::hours(1));
    }
}
