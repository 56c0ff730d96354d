//! UUIDv7 identifiers that carry the bucket of their owner, so that an id alone identifies its shard.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use aws_lc_rs::rand;
use chrono::{DateTime, Utc};
use uuid::{Builder, Uuid, Variant, Version};

use crate::{clock::Clock, error::Violation};

/// The last ten bits of an id are the bucket of its owner.
const BUCKET_MASK: u128 = 0x3ff;

/// Generates ids. Rows that are read together share the bucket of one owner.
#[derive(Clone, Debug)]
pub struct Ids {
    clock: Clock,
    /// Tests derive ids from a counter.
    seeded: Option<Arc<AtomicU64>>,
}

impl Ids {
    /// Unpredictable ids, for production.
    #[must_use]
    pub const fn random(clock: Clock) -> Self {
        Self { clock, seeded: None }
    }

    /// The same ids in every run, for tests.
    #[must_use]
    pub fn seeded(clock: Clock, seed: u64) -> Self {
        Self { clock, seeded: Some(Arc::new(AtomicU64::new(seed))) }
    }

    /// An id with a bucket of its own, for an entity that owns others.
    #[must_use]
    pub fn new_owner(&self) -> Uuid {
        Uuid::from_u128(self.generate())
    }

    /// An id in the bucket of `owner`.
    #[must_use]
    pub fn owned_by(&self, owner: Uuid) -> Uuid {
        Uuid::from_u128((self.generate() & !BUCKET_MASK) | (owner.as_u128() & BUCKET_MASK))
    }

    fn generate(&self) -> u128 {
        let mut random = [0_u8; 10];
        match &self.seeded {
            Some(counter) => {
                let n = counter.fetch_add(1, Ordering::Relaxed);
                // splitmix64: consecutive counters give dissimilar ids.
                let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                for (byte, from) in random.iter_mut().zip(z.to_be_bytes().iter().chain(&n.to_be_bytes())) {
                    *byte = *from;
                }
            }
            // The generator fails only when the operating system has no entropy source. An id of zeros then collides
            // and its primary key refuses it.
            None => rand::fill(&mut random).unwrap_or_default(),
        }
        let millis = u64::try_from(self.clock.now().timestamp_millis()).unwrap_or(0);
        Builder::from_unix_timestamp_millis(millis, &random).into_uuid().as_u128()
    }
}

/// The bucket of an id, 0 to 1023.
#[must_use]
pub fn bucket(id: Uuid) -> u16 {
    u16::try_from(id.as_u128() & BUCKET_MASK).unwrap_or(0)
}

/// The time in an id, to the millisecond; `None` for an id of another version.
#[must_use]
pub fn created_at(id: Uuid) -> Option<DateTime<Utc>> {
    let (seconds, nanos) = id.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)
}

/// Parses an id sent by a caller: hyphenated, version 7.
///
/// # Errors
/// A violation of `field` for any other text.
pub fn parse(field: &str, raw: &str) -> Result<Uuid, Violation> {
    let id = if raw.len() == 36 { Uuid::try_parse(raw).ok() } else { None };
    id.filter(|id| id.get_version() == Some(Version::SortRand) && id.get_variant() == Variant::RFC4122)
        .ok_or_else(|| Violation::new(field, "This is not a valid id."))
}

/// Parses at most `max` ids sent by a caller, each like [`parse`].
///
/// # Errors
/// A violation of `field` when there are more, or when one is not an id.
pub fn parse_all(field: &str, raw: &[String], max: usize) -> Result<Vec<Uuid>, Violation> {
    if raw.len() > max {
        return Err(Violation::new(field, format!("Ask for at most {max} at once.")));
    }
    raw.iter().map(|id| parse(field, id)).collect()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};

    use super::*;

    #[test]
    fn an_owned_id_shares_the_bucket_of_its_owner() {
        let ids = Ids::random(Clock::system());
        let owner = ids.new_owner();
        assert_eq!(bucket(ids.owned_by(owner)), bucket(owner));
        assert_ne!(ids.owned_by(owner), ids.owned_by(owner));
    }

    #[test]
    fn ids_are_version_7_and_ordered_by_time() {
        let clock = Clock::fixed(DateTime::UNIX_EPOCH + TimeDelta::days(20_000));
        let ids = Ids::seeded(clock.clone(), 1);
        let first = ids.new_owner();
        clock.advance(TimeDelta::milliseconds(1));
        assert!(ids.new_owner() > first);
        assert_eq!(parse("id", &first.to_string()), Ok(first));
    }

    #[test]
    fn any_other_text_is_refused() {
        for bad in ["", "1", "\0", "00000000-0000-0000-0000-000000000000", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "{}"]
        {
            assert!(parse("id", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_list_of_ids_is_bounded_and_each_is_validated() {
        let ids = vec![Ids::random(Clock::system()).new_owner().to_string(); 3];
        assert_eq!(parse_all("ids", &ids, 3).unwrap().len(), 3);
        assert!(parse_all("ids", &ids, 2).is_err());
        assert!(parse_all("ids", &[ids[0].clone(), "\0".to_owned()], 3).is_err());
    }
}
