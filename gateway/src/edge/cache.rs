//! The cache: values, rate limits and live messages whose loss changes no answer.
//!
//! In process by default, in Redis when configured, so that replicas share it. While Redis is unavailable the calls use
//! the local store; callers have no error to handle, a log event and a metric report it. A value must be correct again
//! after its time to live: when a replica that cannot reach Redis deletes a value, the others keep it until then.

mod hub;
mod local;
mod rate_limit;
mod redis;
mod relay;

use std::{fmt, sync::Arc, time::Duration};

use axum::body::Bytes;
use chrono::{DateTime, Utc};

use crate::edge::cache::rate_limit::Gcra;
use crate::edge::cache::{hub::Hub, local::Local, redis::Redis};
pub use crate::edge::cache::{
    hub::{Heard, Subscription},
    rate_limit::{Limit, RateLimited},
    redis::BadAddress,
};

/// The timeout of Redis. A slower cache is useless.
const PATIENCE: Duration = Duration::from_millis(50);
/// The maximum size of a value. Larger ones are not stored.
const MAX_VALUE: usize = 64 * 1024;

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

    /// Counts one action of `key` against `limit` in `bucket`.
    ///
    /// # Errors
    /// [`RateLimited`] when the limit is used up; the attempt then costs nothing.
    pub async fn take(
        &self,
        bucket: &'static str,
        key: &str,
        limit: Limit,
        now: DateTime<Utc>,
    ) -> Result<(), RateLimited> {
        let Some(pace) = Gcra::of(limit) else { return Err(RateLimited { after: limit.per }) };
        let key = format!("portia:limit:{bucket}:{key}");
        let now = u64::try_from(now.timestamp_micros()).unwrap_or_default();
        let shared = match &self.redis {
            Some(redis) => redis.take(&key, pace, now).await.ok(),
            None => None,
        };
        match shared.unwrap_or_else(|| self.local.take(key, pace, now)) {
            0 => Ok(()),
            wait => Err(RateLimited { after: Duration::from_micros(wait) }),
        }
    }

    /// Publishes a message to the subscribers of `channel` in every replica. A few may receive it twice.
    pub async fn publish(&self, channel: &str, message: Bytes) {
        let channel = channel_key(channel);
        if let Some(redis) = &self.redis
            && redis.publish(&channel, &message).await.is_ok()
        {
            return;
        }
        self.hub.deliver(&channel, &Heard::Message(message));
    }

    /// Subscribes to `channel`. The stream ends only with the process.
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

fn value_key(space: &'static str, key: &str) -> String {
    format!("portia:value:{space}:{key}")
}

fn channel_key(channel: &str) -> String {
    format!("portia:live:{channel}")
}
