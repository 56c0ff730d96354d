//! Generated members and their activity: one size and one day always give the same world.

pub mod communities;
pub mod events;
pub mod members;
pub mod posts;
pub mod relationships;
pub mod rng;
pub mod words;

use std::ops::Index;

use chrono::{DateTime, Utc};
use primitives::{clock::Clock, ids::Ids};
use uuid::Uuid;

use crate::size::Size;
use communities::Community;
use events::Event;
use members::Member;
use posts::Post;
use relationships::Relationships;
use rng::Rng;

/// Rows by their number, counted from 0.
#[derive(Debug)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    /// The length.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates in numerical order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Iterates over the values with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &T)> {
        (0..).zip(&self.0)
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(rows: Vec<T>) -> Self {
        Self(rows)
    }
}

impl<T> Index<u32> for List<T> {
    type Output = T;

    #[expect(clippy::indexing_slicing, reason = "numbers are made for a list and used on that list")]
    fn index(&self, number: u32) -> &T {
        &self.0[number as usize]
    }
}

/// Reproducible ids with a timestamp.
#[derive(Debug)]
pub struct Stamps {
    clock: Clock,
    ids: Ids,
    rng: Rng,
}

impl Stamps {
    /// Ids of different streams share no random bits.
    #[must_use]
    pub fn of(stream: u64) -> Self {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH);
        let ids = Ids::seeded(clock.clone(), stream << 40);
        Self { clock, ids, rng: Rng::of(stream) }
    }

    /// An id with that timestamp in `owner`'s bucket.
    pub fn owned_by(&mut self, owner: Uuid, at: DateTime<Utc>) -> Uuid {
        self.clock.advance(at - self.clock.now());
        self.ids.owned_by(owner)
    }

    /// An id with that timestamp that is its own owner. Seeded ids all fall into one bucket, so the bucket is random
    /// here.
    pub fn new_owner(&mut self, at: DateTime<Utc>) -> Uuid {
        let bucket = Uuid::from_u128(u128::from(self.rng.below(1 << 10)));
        self.owned_by(bucket, at)
    }
}

/// The generated data, except for rows that are generated while they are written.
#[derive(Debug)]
pub struct World {
    /// Its size.
    pub size: Size,
    /// The present time: only events are later.
    pub now: DateTime<Utc>,
    /// All members.
    pub members: List<Member>,
    /// Connections, requests and blocks.
    pub relationships: Relationships,
    /// The communities with their members.
    pub communities: List<Community>,
    /// Past and future events.
    pub events: List<Event>,
    /// Oldest first.
    pub posts: List<Post>,
}

impl World {
    /// Generates it.
    #[must_use]
    pub fn new(size: Size, now: DateTime<Utc>) -> Self {
        let members = members::draw(size, now);
        let relationships = relationships::draw(size, &members);
        let communities = communities::draw(size, &members, now);
        let events = events::draw(size, &members, now);
        let posts = posts::draw(size, &members, &communities, now);
        Self { size, now, members, relationships, communities, events, posts }
    }

    /// Typical members for a measurement: `count` members whose number of connections is closest to `degree`, with a
    /// school and at least two communities.
    #[must_use]
    pub fn with_degree(&self, degree: u32, count: usize) -> Vec<u32> {
        let belongs = communities::belongs(&self.communities, self.members.len());
        let fit = |number: &u32| self.members[*number].school.is_some() && belongs[*number].len() >= 2;
        let mut numbers: Vec<u32> = (0..self.members.len()).filter(fit).collect();
        numbers.sort_by_key(|number| (self.relationships.degrees[*number].abs_diff(degree), *number));
        numbers.truncate(count);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
    }

    #[test]
    fn one_size_and_one_day_give_one_world() {
        let size: Size = "60".parse().unwrap();
        let debug = |now| format!("{:?}", World::new(size, now));
        assert_eq!(debug(now()), debug(now()));
        assert_ne!(debug(now()), debug(now() + TimeDelta::hours(1)));
    }

    #[test]
    fn owners_are_spread_over_the_buckets_and_share_theirs() {
        let mut stamps = Stamps::of(1);
        let owners: Vec<Uuid> = (0..100).map(|_| stamps.new_owner(now())).collect();
        let mut buckets: Vec<u16> = owners.iter().map(|id| primitives::ids::bucket(*id)).collect();
        buckets.sort_unstable();
        buckets.dedup();
        assert!(buckets.len() > 80, "{} buckets", buckets.len());
        let owned = stamps.owned_by(owners[0], now() - TimeDelta::days(3));
        assert_eq!(primitives::ids::bucket(owned), primitives::ids::bucket(owners[0]));
        assert!(owned < owners[0], "an id of an earlier moment sorts before");
    }

    #[test]
    fn measured_members_have_the_degree_asked_for() {
        let world = World::new(Size::S, now());
        let typical = world.with_degree(50, 4);
        assert_eq!(typical.len(), 4);
        assert!(typical.iter().all(|number| world.relationships.degrees[*number].abs_diff(50) <= 2));
    }
}
