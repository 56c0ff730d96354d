//! Cache state: cached values, rate limits and live messages, which may be lost at any time without changing an answer.
//!
//! In process by default, in Redis when configured, so that replicas share it. While Redis is away the same calls are
//! served in process and nobody is told but the log and a metric: callers have no error to handle. Whatever is kept
//! here must be true again after its time to live, because a value deleted by a replica that cannot reach Redis lives
//! on for the others until then.

mod hub;
mod local;
mod redis;
mod relay;

use std::{fmt, sync::Arc, time::Duration};

use axum::body::Bytes;
use chrono::{DateTime, Utc};

pub use crate::edge::cache::hub::{Heard, Subscription};
use crate::edge::cache::{hub::Hub, local::Local, redis::Redis};

/// How long a caller waits for Redis. A cache slower than this is none.
const PATIENCE: Duration = Duration::from_millis(50);
/// The largest value worth keeping; larger ones are not kept at all.
const MAX_VALUE: usize = 64 * 1024;

/// How often something may be done: `count` times at once, and again as `per / count` passes for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// How many in one go; nothing at all when 0.
    pub count: u32,
    /// The time in which a used-up limit is whole again.
    pub per: Duration,
}

impl Limit {
    /// `Limit::new(10, Duration::from_secs(60))`: ten a minute.
    #[must_use]
    pub const fn new(count: u32, per: Duration) -> Self {
        Self { count, per }
    }
}

/// A limit is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too often; possible again in {} ms", after.as_millis())]
pub struct Retry {
    /// When the next attempt can succeed, from the `now` of this one.
    pub after: Duration,
}

/// The configured address is not one of Redis. It may hold a password, so it is not repeated here.
#[derive(Debug, thiserror::Error)]
#[error("the Redis address is not understood; it looks like redis://[user:password@]host:port/database")]
pub struct BadAddress;

/// The cache state of this process; clones share it.
#[derive(Clone)]
pub struct Cache {
    local: Arc<Local>,
    hub: Arc<Hub>,
    redis: Option<Redis>,
}

impl Cache {
    /// Keeps everything in this process: right when there is only one.
    #[must_use]
    pub fn in_process() -> Self {
        Self { local: Arc::default(), hub: Arc::default(), redis: None }
    }

    /// Shares it through Redis when `url` is given. Call inside tokio; Redis need not be there yet.
    ///
    /// # Errors
    /// Only when `url` is no Redis address.
    pub fn connect(url: Option<&str>) -> Result<Self, BadAddress> {
        Self::connect_within(url, PATIENCE)
    }

    /// As [`Cache::connect`], with another patience than 50 ms for each of Redis's answers.
    ///
    /// # Errors
    /// Only when `url` is no Redis address.
    pub fn connect_within(url: Option<&str>, patience: Duration) -> Result<Self, BadAddress> {
        let mut cache = Self::in_process();
        if let Some(url) = url {
            cache.redis = Some(Redis::new(url, patience, Arc::clone(&cache.local))?);
        }
        Ok(cache)
    }

    /// Whether it is shared through Redis at this moment.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.redis.as_ref().is_some_and(Redis::is_there)
    }

    /// The value kept under `key` in `space`, unless it was lost, replaced or outlived its time.
    pub async fn get(&self, space: &'static str, key: &str) -> Option<Bytes> {
        let key = value_key(space, key);
        if let Some(redis) = &self.redis
            && let Ok(found) = redis.get(&key).await
        {
            return found;
        }
        self.local.get(&key)
    }

    /// Keeps `value` for at most `ttl`. Values above 64 KiB are not kept; an older one is gone all the same.
    pub async fn set(&self, space: &'static str, key: &str, value: Bytes, ttl: Duration) {
        if value.len() > MAX_VALUE || ttl.is_zero() {
            return self.delete(space, key).await;
        }
        let key = value_key(space, key);
        if let Some(redis) = &self.redis
            && redis.set(&key, &value, ttl).await.is_ok()
        {
            return;
        }
        self.local.set(key, value, ttl);
    }

    /// Forgets a value.
    pub async fn delete(&self, space: &'static str, key: &str) {
        let key = value_key(space, key);
        if let Some(redis) = &self.redis
            && redis.delete(&key).await.is_ok()
        {
            return;
        }
        self.local.delete(&key);
    }

    /// Uses up one of `key`'s `limit` in `bucket`, or tells when one is free again.
    ///
    /// # Errors
    /// [`Retry`] when the limit is used up; the attempt then costs nothing.
    pub async fn take(&self, bucket: &'static str, key: &str, limit: Limit, now: DateTime<Utc>) -> Result<(), Retry> {
        let Some(pace) = Pace::of(limit) else { return Err(Retry { after: limit.per }) };
        let key = format!("portia:limit:{bucket}:{key}");
        let now = u64::try_from(now.timestamp_micros()).unwrap_or_default();
        let shared = match &self.redis {
            Some(redis) => redis.take(&key, pace, now).await.ok(),
            None => None,
        };
        match shared.unwrap_or_else(|| self.local.take(key, pace, now)) {
            0 => Ok(()),
            wait => Err(Retry { after: Duration::from_micros(wait) }),
        }
    }

    /// Tells everyone who is listening on `channel` now, in every replica. At most a few hear it twice.
    pub async fn publish(&self, channel: &str, message: Bytes) {
        let channel = channel_key(channel);
        if let Some(redis) = &self.redis
            && redis.publish(&channel, &message).await.is_ok()
        {
            return;
        }
        self.hub.deliver(&channel, &Heard::Message(message));
    }

    /// Listens on `channel` from now on. The stream ends only with the process.
    pub async fn subscribe(&self, channel: &str) -> Subscription {
        let channel = channel_key(channel);
        match &self.redis {
            Some(redis) => redis.subscribe(&self.hub, channel).await,
            None => Hub::listen(&self.hub, channel),
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.redis.is_some() { "Cache(redis)" } else { "Cache(in process)" })
    }
}

/// A limit in whole microseconds, for the generic cell rate algorithm which both stores run.
///
/// A bucket is one number: the moment at which it is whole again. Taking moves it `step` later, and is refused if that
/// would lie more than `window` ahead.
#[derive(Clone, Copy)]
struct Pace {
    step: u64,
    window: u64,
}

impl Pace {
    fn of(limit: Limit) -> Option<Self> {
        let per = u64::try_from(limit.per.as_micros()).unwrap_or(u64::MAX);
        let count = u64::from(limit.count);
        let step = per.checked_div(count)?.max(1);
        Some(Self { step, window: step.saturating_mul(count) })
    }
}

fn value_key(space: &'static str, key: &str) -> String {
    format!("portia:value:{space}:{key}")
}

fn channel_key(channel: &str) -> String {
    format!("portia:live:{channel}")
}
