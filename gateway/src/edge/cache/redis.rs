//! The cache in Redis, with the local store as fallback while Redis is unavailable.
//!
//! After the first failure every call uses the local store. A background task reconnects, deletes the keys that changed
//! meanwhile, and then directs the calls to Redis again. So an outage costs a caller at most one timeout of 50 ms, and
//! no stale value returns.

use std::{
    collections::HashSet,
    mem,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::{Duration, Instant},
};

use axum::body::Bytes;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use redis::{Cmd, ConnectionAddr, FromRedisValue, IntoConnectionInfo as _, RedisError, RedisResult, Script, cmd};
use tokio::{
    task::AbortHandle,
    time::{sleep, timeout},
};

use crate::edge::cache::{
    hub::{Hub, Subscription},
    local::Local,
    rate_limit::Gcra,
    relay::{self, RECONNECT_DELAY},
    topology::{Connection, Secrets, Topology},
};

/// The configured address is invalid. It may contain a password, so it is not repeated.
#[derive(Debug, thiserror::Error)]
#[error("the Redis address is not understood; it looks like rediss://[user:password@]host:port/database")]
pub struct BadAddress;

/// The minimum interval of warnings about an outage.
const WARN_INTERVAL: Duration = Duration::from_secs(60);
/// The maximum of changed keys recorded in an outage. If more change, every value is deleted afterwards.
const MAX_CHANGED: usize = 10_000;

/// `Local::take` in Lua. Numbers are doubles, exact up to 2^53 microseconds (the year 2255).
const TAKE: &str = r"
local now, step, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full_at = tonumber(redis.call('get', KEYS[1]) or now)
local after = math.min(math.max(full_at, now), now + window) + step
if after > now + window then return after - now - window end
redis.call('set', KEYS[1], string.format('%.0f', after), 'px', math.max(60000, math.ceil((after - now) / 1000)))
return 0
";

/// `Local::give_back` in Lua.
const GIVE_BACK: &str = r"
local now, step, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full_at = tonumber(redis.call('get', KEYS[1]) or now)
local after = math.min(full_at, now + window) - step
if after <= now then return redis.call('del', KEYS[1]) end
redis.call('set', KEYS[1], string.format('%.0f', after), 'px', math.max(60000, math.ceil((after - now) / 1000)))
return 0
";

/// The addresses of a setting: several are nodes of a cluster.
pub(super) fn addresses(urls: &str) -> Vec<&str> {
    urls.split(',').map(str::trim).filter(|url| !url.is_empty()).collect()
}

/// The host of an address as the client understands it, and whether the connection is encrypted and verified, or a socket of
/// this machine. `rediss://..#insecure` is not verified.
pub(super) fn target(url: &str) -> Result<(String, bool), BadAddress> {
    let address = url.into_connection_info().map_err(|_| BadAddress)?;
    Ok(match address.addr() {
        ConnectionAddr::TcpTls { host, insecure, .. } => (host.clone(), !insecure),
        ConnectionAddr::Tcp(host, _) => (host.clone(), false),
        ConnectionAddr::Unix(path) => (path.display().to_string(), true),
        _ => return Err(BadAddress),
    })
}

/// Redis is unavailable. The caller uses the local store.
pub(super) struct Unavailable;

#[derive(Clone)]
pub(super) struct Redis(Arc<Shared>);

struct Shared {
    topology: Topology,
    command_timeout: Duration,
    take: Script,
    give_back: Script,
    local: Arc<Local>,
    state: Mutex<State>,
    relay: OnceLock<AbortHandle>,
}

#[derive(Default)]
struct State {
    /// `None` while Redis is unavailable.
    connection: Option<Connection>,
    changed: HashSet<String>,
    changed_too_many: bool,
    warned: Option<Instant>,
}

impl Redis {
    pub(super) fn new(
        url: &str,
        secrets: Secrets,
        command_timeout: Duration,
        local: Arc<Local>,
    ) -> Result<Self, BadAddress> {
        describe_counter!(
            "soft_redis_failures_total",
            "Calls that Redis did not answer in time; the local store answered"
        );
        describe_gauge!("soft_redis_away", "1 while the cache is in process because Redis is unavailable");
        let shared = Arc::new(Shared {
            topology: Topology::new(&addresses(url), secrets).map_err(|_| BadAddress)?,
            command_timeout,
            take: Script::new(TAKE),
            give_back: Script::new(GIVE_BACK),
            local,
            state: Mutex::default(),
            relay: OnceLock::new(),
        });
        // The local store answers until Redis is connected, so that the first requests do not wait.
        tokio::spawn(reconnect(Arc::downgrade(&shared)));
        Ok(Self(shared))
    }

    pub(super) fn is_connected(&self) -> bool {
        self.0.state().connection.is_some()
    }

    pub(super) async fn get(&self, key: &str) -> Result<Option<Bytes>, Unavailable> {
        let found: Option<Vec<u8>> = self.run(cmd("GET").arg(key), None).await?;
        Ok(found.map(Bytes::from))
    }

    pub(super) async fn set(&self, key: &str, value: &Bytes, ttl: Duration) -> Result<(), Unavailable> {
        let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX).max(1);
        self.run(cmd("SET").arg(key).arg(&value[..]).arg("PX").arg(ttl), Some(key)).await
    }

    pub(super) async fn delete(&self, key: &str) -> Result<(), Unavailable> {
        self.run(cmd("DEL").arg(key), Some(key)).await
    }

    pub(super) async fn publish(&self, channel: &str, message: &Bytes) -> Result<(), Unavailable> {
        self.run(cmd("PUBLISH").arg(channel).arg(&message[..]), None).await
    }

    pub(super) async fn take(&self, key: &str, pace: Gcra, now: u64) -> Result<u64, Unavailable> {
        self.run_script(&self.0.take, key, pace, now).await
    }

    pub(super) async fn give_back(&self, key: &str, pace: Gcra, now: u64) -> Result<(), Unavailable> {
        self.run_script(&self.0.give_back, key, pace, now).await.map(|_| ())
    }

    pub(super) async fn refill(&self, key: &str) -> Result<(), Unavailable> {
        self.run(cmd("DEL").arg(key), None).await
    }

    async fn run_script(&self, script: &Script, key: &str, pace: Gcra, now: u64) -> Result<u64, Unavailable> {
        let mut connection = self.connection(None)?;
        let mut call = script.key(key);
        call.arg(now).arg(pace.step).arg(pace.window);
        self.check(timeout(self.0.command_timeout, call.invoke_async(&mut connection)).await.ok(), None)
    }

    /// Subscribes to a channel of `hub`. The first subscription starts the relay.
    pub(super) async fn subscribe(&self, hub: &Arc<Hub>, channel: String) -> Subscription {
        self.0.relay.get_or_init(|| {
            let changes = hub.changes();
            tokio::spawn(relay::run(self.0.topology.nodes().to_vec(), Arc::clone(hub), changes)).abort_handle()
        });
        Hub::join(hub, channel, self.0.command_timeout).await
    }

    /// Runs a command. When it fails, the value of the key `changes` in Redis is stale and must be deleted later.
    async fn run<T: FromRedisValue>(&self, command: &Cmd, changes: Option<&str>) -> Result<T, Unavailable> {
        let mut connection = self.connection(changes)?;
        self.check(timeout(self.0.command_timeout, command.query_async(&mut connection)).await.ok(), changes)
    }

    fn connection(&self, changes: Option<&str>) -> Result<Connection, Unavailable> {
        let mut state = self.0.state();
        match &state.connection {
            Some(connection) => Ok(connection.clone()),
            None => {
                state.record_change(changes);
                Err(Unavailable)
            }
        }
    }

    fn check<T>(&self, answer: Option<RedisResult<T>>, changes: Option<&str>) -> Result<T, Unavailable> {
        let error = match answer {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) => Some(error),
            None => None,
        };
        counter!("soft_redis_failures_total").increment(1);
        let mut state = self.0.state();
        state.record_change(changes);
        // Only the first failed call starts the reconnection.
        if state.connection.take().is_some() {
            state.warn(error.as_ref());
            let shared = Arc::downgrade(&self.0);
            tokio::spawn(async move {
                sleep(RECONNECT_DELAY).await;
                reconnect(shared).await;
            });
        }
        Err(Unavailable)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(relay) = self.relay.get() {
            relay.abort();
        }
    }
}

impl State {
    fn record_change(&mut self, changes: Option<&str>) {
        match changes {
            Some(key) if self.changed.len() < MAX_CHANGED => drop(self.changed.insert(key.to_owned())),
            Some(_) => self.changed_too_many = true,
            None => {}
        }
    }

    fn warn(&mut self, error: Option<&RedisError>) {
        if self.warned.is_none_or(|last| last.elapsed() >= WARN_INTERVAL) {
            self.warned = Some(Instant::now());
            let error = error.map_or_else(|| "no answer in time".to_owned(), ToString::to_string);
            tracing::warn!(error, "Redis is unavailable; the cache is in process meanwhile");
        }
    }
}

/// Retries until Redis is connected and reconciled.
async fn reconnect(shared: Weak<Shared>) {
    gauge!("soft_redis_away").set(1);
    while let Some(shared) = shared.upgrade() {
        match reconcile(&shared).await {
            Ok(()) => {
                gauge!("soft_redis_away").set(0);
                tracing::debug!("Redis is connected");
                return;
            }
            Err(error) => shared.state().warn(Some(&error)),
        }
        drop(shared);
        sleep(RECONNECT_DELAY).await;
    }
}

/// Connects, deletes the keys that changed during the outage, and directs the calls to Redis again.
async fn reconcile(shared: &Shared) -> RedisResult<()> {
    let mut connection = shared.topology.connect().await?;
    cmd("PING").exec_async(&mut connection).await?;
    loop {
        let (changed, too_many) = {
            let mut state = shared.state();
            if state.changed.is_empty() && !state.changed_too_many {
                // Under the lock, so that no change is recorded between this check and the switch to Redis.
                shared.local.delete_values();
                state.connection = Some(connection);
                return Ok(());
            }
            (mem::take(&mut state.changed), mem::take(&mut state.changed_too_many))
        };
        let deleted = if too_many {
            connection.delete_all("portia:value:*").await
        } else {
            cmd("UNLINK").arg(changed.iter().collect::<Vec<_>>()).exec_async(&mut connection).await
        };
        if let Err(error) = deleted {
            let mut state = shared.state();
            state.changed_too_many |= too_many;
            changed.iter().for_each(|key| state.record_change(Some(key)));
            return Err(error);
        }
    }
}
