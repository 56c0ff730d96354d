//! The cache in this process, bounded in bytes.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use moka::{
    Expiry,
    ops::compute::Op,
    policy::EvictionPolicy,
    sync::{Cache, CacheBuilder},
};

use crate::edge::cache::rate_limit::Gcra;

/// Bytes of cached values and their keys.
const VALUES: u64 = 16 * 1024 * 1024;
/// Bytes of rate-limit buckets and their keys.
const BUCKETS: u64 = 16 * 1024 * 1024;
/// The approximate overhead of an entry in bytes.
const OVERHEAD: usize = 200;

/// A bucket is kept this long at least. It expires by the monotonic clock, and its counts are by the time of day, which may be set back.
const BUCKET_KEPT: Duration = Duration::from_mins(1);

/// Values and buckets, each with its own time to live.
pub(super) struct Local {
    values: Cache<String, Entry<Bytes>>,
    buckets: Cache<String, Entry<u64>>,
}

impl Default for Local {
    fn default() -> Self {
        Self { values: cache(VALUES, Bytes::len), buckets: cache(BUCKETS, |_| size_of::<u64>()) }
    }
}

impl Local {
    pub(super) fn get(&self, key: &str) -> Option<Bytes> {
        self.values.get(key).map(|entry| entry.value)
    }

    pub(super) fn set(&self, key: String, value: Bytes, ttl: Duration) {
        self.values.insert(key, Entry { value, ttl });
    }

    pub(super) fn delete(&self, key: &str) {
        self.values.invalidate(key);
    }

    /// Deletes every value, because Redis is connected again and has newer ones.
    pub(super) fn delete_values(&self) {
        self.values.invalidate_all();
    }

    /// Counts an action and returns 0, or the microseconds until the next one is allowed. redis.rs has the same steps in Lua.
    pub(super) fn take(&self, key: String, pace: Gcra, now: u64) -> u64 {
        let mut wait = 0;
        self.buckets.entry(key).and_compute_with(|bucket| {
            match pace.next(bucket.map_or(now, |bucket| bucket.into_value().value), now) {
                Ok(next) => Op::Put(bucket_until(next, now)),
                Err(refused_for) => {
                    wait = refused_for;
                    Op::Nop
                }
            }
        });
        wait
    }

    /// Takes back an action that was counted.
    pub(super) fn give_back(&self, key: String, pace: Gcra, now: u64) {
        self.buckets.entry(key).and_compute_with(|bucket| {
            let Some(full_at) = bucket.map(|bucket| bucket.into_value().value.min(now + pace.window)) else {
                return Op::Nop;
            };
            match full_at.saturating_sub(pace.step) {
                next if next <= now => Op::Remove,
                next => Op::Put(bucket_until(next, now)),
            }
        });
    }

    /// Takes back every action that was counted.
    pub(super) fn refill(&self, key: &str) {
        self.buckets.invalidate(key);
    }
}

#[derive(Clone)]
struct Entry<T> {
    value: T,
    ttl: Duration,
}

fn bucket_until(full_at: u64, now: u64) -> Entry<u64> {
    Entry { value: full_at, ttl: Duration::from_micros(full_at - now).max(BUCKET_KEPT) }
}

struct ByTtl;

impl<T> Expiry<String, Entry<T>> for ByTtl {
    fn expire_after_create(&self, _: &String, entry: &Entry<T>, _: Instant) -> Option<Duration> {
        Some(entry.ttl)
    }

    fn expire_after_update(&self, _: &String, entry: &Entry<T>, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(entry.ttl)
    }
}

fn cache<T>(bytes: u64, size: fn(&T) -> usize) -> Cache<String, Entry<T>>
where
    T: Clone + Send + Sync + 'static,
{
    CacheBuilder::new(bytes)
        // Not the default policy, which rejects new entries when full: the rate limit of a new address must be stored.
        .eviction_policy(EvictionPolicy::lru())
        .weigher(move |key: &String, entry: &Entry<T>| {
            u32::try_from(key.len() + size(&entry.value) + OVERHEAD).unwrap_or(u32::MAX)
        })
        .expire_after(ByTtl)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_keys_stay_within_the_memory_limit() {
        let local = Local::default();
        let pace = Gcra { step: 1_000_000, window: 10_000_000 };
        for address in 0..200_000 {
            local.take(format!("anonymous:{address}"), pace, 0);
            local.set(format!("card:{address}"), Bytes::from_static(&[0; 100]), Duration::from_secs(60));
        }
        local.values.run_pending_tasks();
        local.buckets.run_pending_tasks();
        assert!(local.values.weighted_size() <= VALUES);
        assert!(local.buckets.weighted_size() <= BUCKETS);
        assert!(local.get("card:199999").is_some(), "the newest entry is not evicted");
    }

    #[test]
    fn an_update_replaces_the_time_to_live() {
        let local = Local::default();
        local.set("k".into(), Bytes::from_static(b"short"), Duration::from_millis(1));
        local.set("k".into(), Bytes::from_static(b"long"), Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(local.get("k").as_deref(), Some(&b"long"[..]));
    }

    #[test]
    fn a_count_remains_while_the_time_of_day_stands_still() {
        let local = Local::default();
        let once_in_a_millisecond = Gcra { step: 1_000, window: 1_000 };
        assert_eq!(local.take("k".into(), once_in_a_millisecond, 0), 0);
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(local.take("k".into(), once_in_a_millisecond, 0), 1_000);
    }
}
