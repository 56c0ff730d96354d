//! Events: one in ten is in the future.

use chrono::{DateTime, DurationRound as _, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    List, Stamps,
    members::Member,
    rng::{self, Rng},
};
use crate::size::Size;

const STREAM: u64 = 4;

/// An event.
#[derive(Debug)]
pub struct Event {
    /// Its id, in the organiser's bucket.
    pub id: Uuid,
    /// The organiser, who is the first attendee.
    pub organiser: u32,
    /// The time of creation.
    pub created_at: DateTime<Utc>,
    /// A full hour.
    pub starts_at: DateTime<Utc>,
    /// Some hours later.
    pub ends_at: DateTime<Utc>,
    /// The attendees, the organiser first.
    pub attendees: Vec<u32>,
}

pub(super) fn draw(size: Size, members: &List<Member>, now: DateTime<Utc>) -> List<Event> {
    let (mut rng, mut stamps) = (Rng::of(STREAM), Stamps::of(STREAM));
    let count = size.events();
    let weights: Vec<f64> = (0..count).map(|_| rng.pareto(1.3)).collect();
    let most = (members.len() / 2).min(2_000);
    let coming = rng::shares(count.saturating_mul(10), &weights, &vec![most; count as usize]);
    let hour = now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now);
    let events = coming.into_iter().map(|coming| {
        let ahead =
            if rng.chance(0.1) { i64::from(rng.below(90 * 24)) + 24 } else { -i64::from(rng.below(365 * 24)) - 24 };
        let starts_at = hour + TimeDelta::hours(ahead);
        let created_at = starts_at.min(now) - TimeDelta::days(1 + i64::from(rng.below(60)));
        let organiser = rng.below(members.len());
        let mut attendees = vec![organiser];
        attendees.extend(rng.distinct(coming, members.len()).filter(|member| *member != organiser));
        Event {
            id: stamps.owned_by(members[organiser].id, created_at),
            organiser,
            created_at,
            starts_at,
            ends_at: starts_at + TimeDelta::hours(1 + i64::from(rng.below(8))),
            attendees,
        }
    });
    events.collect::<Vec<_>>().into()
}
