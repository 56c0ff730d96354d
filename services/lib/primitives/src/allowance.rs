//! How many requests a member may send to members who do not know them: more with the age of the account, and with each other
//! member who accepted one. A new account can be made in seconds; an old one with connections cannot.

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
    /// The allowances of `member`, of whose requests or members `accepted` were accepted; `scale` multiplies them.
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

    /// The time in which one request of a day becomes free again.
    #[must_use]
    pub fn step(&self) -> TimeDelta {
        PERIOD / i32::try_from(self.per_day).unwrap_or(i32::MAX)
    }
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
    fn a_request_becomes_free_again_within_the_day() {
        let allowance = Allowance { per_day: 24, waiting: 1 };
        assert_eq!(allowance.step(), TimeDelta::hours(1));
    }
}
