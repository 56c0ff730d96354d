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
mod topology;

use std::{fmt, fs, path::PathBuf, sync::Arc, time::Duration};

use axum::body::Bytes;
use chassis::config::{Encryption, Error, Source};
use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::edge::cache::rate_limit::Gcra;
use crate::edge::cache::{hub::Hub, local::Local, redis::Redis, topology::Secrets};
pub use crate::edge::cache::{
    hub::{ChannelEvent, Subscription},
    rate_limit::{Count, Limit, RateLimited},
    redis::BadAddress,
};

/// The timeout of a Redis command.
const COMMAND_TIMEOUT: Duration = Duration::from_millis(50);
/// The maximum size of a value. Larger ones are not stored.
const MAX_VALUE: usize = 64 * 1024;

#[derive(Deserialize)]
struct Settings {
    /// The address of Redis, `rediss://host:port`; of a cluster several, separated by commas.
    redis_url: Option<String>,
    /// The file with its password, if the address has none.
    redis_password_file: Option<PathBuf>,
    /// The authority of its certificate, in PEM. By default those of the system.
    redis_authority: Option<PathBuf>,
}

/// The cache of this process. Clones share it.
#[derive(Clone)]
pub struct Cache {
    local: Arc<Local>,
    hub: Arc<Hub>,
    redis: Option<Redis>,
}

impl Cache {
    /// A cache in this process only, for a gateway without replicas.
    #[must_use]
    pub fn in_process() -> Self {
        Self { local: Arc::default(), hub: Arc::default(), redis: None }
    }

    /// The configured cache: in Redis, or in process when `PORTIA_REDIS_URL` is unset. Needs a tokio runtime.
    ///
    /// # Errors
    /// When a setting is invalid, a file is not readable, or the connection to another machine would not be encrypted.
    pub fn open(source: &Source) -> Result<Self, Error> {
        let settings: Settings = source.extract()?;
        let Some(url) = settings.redis_url else { return Ok(Self::in_process()) };
        let invalid = |error: BadAddress| Error(format!("PORTIA_REDIS_URL: {error}"));
        for address in redis::addresses(&url) {
            let (host, is_encrypted) = redis::target(address).map_err(invalid)?;
            Encryption::read(source)?.check_host("PORTIA_REDIS_URL", &host, is_encrypted, "rediss")?;
        }
        let read = |variable: &str, file: Option<PathBuf>| {
            let content = file.map(|file| fs::read(&file).map_err(|error| (file, error))).transpose();
            content.map_err(|(file, error)| Error(format!("{variable}: {}: {error}", file.display())))
        };
        let password = read("PORTIA_REDIS_PASSWORD_FILE", settings.redis_password_file)?;
        let secrets = Secrets {
            password: password.map(|password| String::from_utf8_lossy(&password).trim().to_owned()),
            authority: read("PORTIA_REDIS_AUTHORITY", settings.redis_authority)?,
        };
        let mut cache = Self::in_process();
        let redis = Redis::new(&url, secrets, COMMAND_TIMEOUT, Arc::clone(&cache.local));
        cache.redis = Some(redis.map_err(invalid)?);
        Ok(cache)
    }

    /// A cache in Redis if `url` is given. Needs a tokio runtime. Redis may start later.
    ///
    /// # Errors
    /// When `url` is not a Redis address.
    pub fn connect(url: Option<&str>) -> Result<Self, BadAddress> {
        Self::connect_with_timeout(url, COMMAND_TIMEOUT)
    }

    /// Like [`Cache::connect`], with another timeout per command than 50 ms.
    ///
    /// # Errors
    /// When `url` is not a Redis address.
    pub fn connect_with_timeout(url: Option<&str>, command_timeout: Duration) -> Result<Self, BadAddress> {
        let mut cache = Self::in_process();
        if let Some(url) = url {
            cache.redis = Some(Redis::new(url, Secrets::default(), command_timeout, Arc::clone(&cache.local))?);
        }
        Ok(cache)
    }

    /// Whether Redis is connected, so that replicas share the cache.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.redis.as_ref().is_some_and(Redis::is_connected)
    }

    /// The value of `key` in `space`; `None` when it is unknown, evicted or expired.
    pub async fn get(&self, space: &'static str, key: &str) -> Option<Bytes> {
        let key = value_key(space, key);
        if let Some(redis) = &self.redis
            && let Ok(found) = redis.get(&key).await
        {
            return found;
        }
        self.local.get(&key)
    }

    /// Stores `value` for at most `ttl`. A value above 64 KiB is not stored; the previous value is deleted.
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

    /// Deletes a value.
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
    /// [`RateLimited`] when the limit is exhausted. A refused action is not counted.
    pub async fn take(
        &self,
        bucket: &'static str,
        key: &str,
        limit: Limit,
        now: DateTime<Utc>,
    ) -> Result<(), RateLimited> {
        let Some(pace) = Gcra::of(limit) else { return Err(RateLimited { after: limit.per }) };
        let key = limit_key(bucket, key);
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

    /// Like [`Cache::take`], in this process only.
    ///
    /// # Errors
    /// As [`Cache::take`].
    pub fn take_here(
        &self,
        bucket: &'static str,
        key: &str,
        limit: Limit,
        now: DateTime<Utc>,
    ) -> Result<(), RateLimited> {
        let Some(pace) = Gcra::of(limit) else { return Err(RateLimited { after: limit.per }) };
        let now = u64::try_from(now.timestamp_micros()).unwrap_or_default();
        match self.local.take(limit_key(bucket, key), pace, now) {
            0 => Ok(()),
            wait => Err(RateLimited { after: Duration::from_micros(wait) }),
        }
    }

    /// Takes back an action that [`Cache::take`] counted at most `limit.per` ago.
    pub async fn give_back(&self, bucket: &'static str, key: &str, limit: Limit, now: DateTime<Utc>) {
        let Some(pace) = Gcra::of(limit) else { return };
        let key = limit_key(bucket, key);
        let now = u64::try_from(now.timestamp_micros()).unwrap_or_default();
        if let Some(redis) = &self.redis
            && redis.give_back(&key, pace, now).await.is_ok()
        {
            return;
        }
        self.local.give_back(key, pace, now);
    }

    /// Takes back every action of `key` in `bucket`.
    pub async fn refill(&self, bucket: &'static str, key: &str) {
        let key = limit_key(bucket, key);
        if let Some(redis) = &self.redis
            && redis.refill(&key).await.is_ok()
        {
            return;
        }
        self.local.refill(&key);
    }

    /// Publishes a message to the subscribers of `channel` in every replica. A subscriber may receive it twice.
    pub async fn publish(&self, channel: &str, message: Bytes) {
        let channel = channel_key(channel);
        if let Some(redis) = &self.redis
            && redis.publish(&channel, &message).await.is_ok()
        {
            return;
        }
        self.hub.deliver(&channel, &ChannelEvent::Message(message));
    }

    /// Subscribes to `channel`. The stream ends only with the process.
    pub async fn subscribe(&self, channel: &str) -> Subscription {
        let channel = channel_key(channel);
        match &self.redis {
            Some(redis) => redis.subscribe(&self.hub, channel).await,
            None => Hub::subscribe(&self.hub, channel),
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

fn limit_key(bucket: &'static str, key: &str) -> String {
    format!("portia:limit:{bucket}:{key}")
}

fn channel_key(channel: &str) -> String {
    format!("portia:live:{channel}")
}
