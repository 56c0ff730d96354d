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
/// What an entry costs beside its key and value, roughly.
const OVERHEAD: usize = 200;

/// Values and buckets, each with its own time to live.
pub(super) struct Local {
    values: Cache<String, Kept<Bytes>>,
    buckets: Cache<String, Kept<u64>>,
}

impl Default for Local {
    fn default() -> Self {
        Self { values: cache(VALUES, Bytes::len), buckets: cache(BUCKETS, |_| size_of::<u64>()) }
    }
}

impl Local {
    pub(super) fn get(&self, key: &str) -> Option<Bytes> {
        self.values.get(key).map(|kept| kept.value)
    }

    pub(super) fn set(&self, key: String, value: Bytes, ttl: Duration) {
        self.values.insert(key, Kept { value, ttl });
    }

    pub(super) fn delete(&self, key: &str) {
        self.values.invalidate(key);
    }

    /// Forgets every value: Redis is back, and knows better.
    pub(super) fn forget_values(&self) {
        self.values.invalidate_all();
    }

    /// Takes one, or says in how many microseconds one is free. redis.rs has the same steps in Lua.
    pub(super) fn take(&self, key: String, pace: Gcra, now: u64) -> u64 {
        let mut wait = 0;
        self.buckets.entry(key).and_compute_with(|bucket| {
            // Whole again in the past: now. Further ahead than a window: the clock went back.
            let whole = bucket.map_or(now, |bucket| bucket.into_value().value).clamp(now, now + pace.window);
            let next = whole + pace.step;
            wait = next.saturating_sub(now + pace.window);
            if wait > 0 {
                return Op::Nop;
            }
            Op::Put(Kept { value: next, ttl: Duration::from_micros(next - now) })
        });
        wait
    }
}

#[derive(Clone)]
struct Kept<T> {
    value: T,
    ttl: Duration,
}

struct ByTtl;

impl<T> Expiry<String, Kept<T>> for ByTtl {
    fn expire_after_create(&self, _: &String, kept: &Kept<T>, _: Instant) -> Option<Duration> {
        Some(kept.ttl)
    }

    fn expire_after_update(&self, _: &String, kept: &Kept<T>, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(kept.ttl)
    }
}

fn cache<T>(bytes: u64, size: fn(&T) -> usize) -> Cache<String, Kept<T>>
where
    T: Clone + Send + Sync + 'static,
{
    CacheBuilder::new(bytes)
        // Not the default policy, which rejects new entries when full: the rate limit of a new address must be stored.
        .eviction_policy(EvictionPolicy::lru())
        .weigher(move |key: &String, kept: &Kept<T>| {
            u32::try_from(key.len() + size(&kept.value) + OVERHEAD).unwrap_or(u32::MAX)
        })
        .expire_after(ByTtl)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_keys_stays_within_its_memory() {
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
        assert!(local.get("card:199999").is_some(), "the newest stays");
    }

    #[test]
    fn an_update_brings_its_own_time_to_live() {
        let local = Local::default();
        local.set("k".into(), Bytes::from_static(b"short"), Duration::from_millis(1));
        local.set("k".into(), Bytes::from_static(b"long"), Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
        assert_eq!(local.get("k").as_deref(), Some(&b"long"[..]));
    }
}
