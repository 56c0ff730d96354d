//! The cache behaves the same in process and in Redis, and survives outages of Redis.

mod cluster;
mod redis_server;

use std::time::{Duration, Instant};

use bytes::Bytes;
use chassis::config::Source;
use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt as _;
use gateway::edge::cache::{Cache, ChannelEvent, Limit, Subscription};
use tokio::time::{sleep, timeout};

use redis_server::Redis;

const MINUTE: Duration = Duration::from_secs(60);
/// The time after which a test fails. Long, because the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn the_cache_in_process_fulfils_the_contract() {
    contract(&Cache::in_process()).await;
}

#[tokio::test]
async fn the_cache_in_redis_fulfils_the_contract() {
    let redis = Redis::start();
    contract(&redis.cache().await).await;
}

/// The guarantees of both stores.
async fn contract(cache: &Cache) {
    values_live_until_replaced_deleted_or_expired(cache).await;
    a_limit_permits_its_count_and_refills_gradually(cache).await;
    concurrent_actions_do_not_exceed_the_limit(cache).await;
    an_action_can_be_taken_back(cache).await;
    a_message_reaches_the_subscribers_of_its_channel(cache).await;
}

async fn values_live_until_replaced_deleted_or_expired(cache: &Cache) {
    assert_eq!(cache.get("card", "ana").await, None);
    cache.set("card", "ana", bytes(b"one"), MINUTE).await;
    cache.set("card", "ben", bytes(b"\0\xff"), MINUTE).await;
    cache.set("session", "ana", bytes(b"other space"), MINUTE).await;
    assert_eq!(cache.get("card", "ana").await, Some(bytes(b"one")));
    assert_eq!(cache.get("card", "ben").await, Some(bytes(b"\0\xff")), "values are bytes, not text");
    cache.set("card", "ana", bytes(b"two"), MINUTE).await;
    assert_eq!(cache.get("card", "ana").await, Some(bytes(b"two")));
    cache.delete("card", "ana").await;
    assert_eq!(cache.get("card", "ana").await, None);
    assert_eq!(cache.get("session", "ana").await, Some(bytes(b"other space")));

    cache.set("card", "old", bytes(b"x"), Duration::from_millis(20)).await;
    eventually("a value did not expire", async || cache.get("card", "old").await.is_none()).await;

    cache.set("card", "ben", Bytes::from(vec![0; 64 * 1024 + 1]), MINUTE).await;
    assert_eq!(
        cache.get("card", "ben").await,
        None,
        "a too large value is not stored, and the previous one is deleted"
    );
    cache.set("card", "never", bytes(b"x"), Duration::ZERO).await;
    assert_eq!(cache.get("card", "never").await, None);
}

async fn a_limit_permits_its_count_and_refills_gradually(cache: &Cache) {
    let limit = Limit::new(3, MINUTE);
    let start = moment();
    for n in 0..3 {
        assert_eq!(cache.take("sign-in", "10.0.0.1", limit, start).await, Ok(()), "take {n}");
    }
    let after = async |at| cache.take("sign-in", "10.0.0.1", limit, at).await.map_err(|retry| retry.after);
    assert_eq!(after(start).await, Err(Duration::from_secs(20)));
    assert_eq!(
        after(start + TimeDelta::seconds(19)).await,
        Err(Duration::from_secs(1)),
        "refused actions are not counted"
    );
    assert_eq!(after(start + TimeDelta::seconds(20)).await, Ok(()));
    assert_eq!(after(start + TimeDelta::seconds(20)).await, Err(Duration::from_secs(20)));
    assert_eq!(after(start - TimeDelta::days(1)).await, Err(Duration::from_secs(20)), "a clock set back");
    assert_eq!(cache.take("sign-in", "10.0.0.2", limit, start).await, Ok(()), "another key");
    assert_eq!(cache.take("reset", "10.0.0.1", limit, start).await, Ok(()), "another bucket");
    let full_again = start + TimeDelta::seconds(200);
    for n in 0..3 {
        assert_eq!(after(full_again).await, Ok(()), "take {n} after a rest");
    }
    assert!(after(full_again).await.is_err());
    let nothing = cache.take("closed", "10.0.0.1", Limit::new(0, MINUTE), start).await;
    assert_eq!(nothing.map_err(|retry| retry.after), Err(MINUTE));
}

async fn concurrent_actions_do_not_exceed_the_limit(cache: &Cache) {
    let limit = Limit::new(7, Duration::from_secs(3600));
    let takers = (0..50).map(|_| cache.take("race", "member", limit, moment()));
    let taken = futures::future::join_all(takers).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(taken, 7);
}

async fn an_action_can_be_taken_back(cache: &Cache) {
    let limit = Limit::new(3, MINUTE);
    let start = moment();
    let take = async |at| cache.take("guess", "ana", limit, at).await.map_err(|retry| retry.after);
    cache.give_back("guess", "ana", limit, start).await;
    for n in 0..3 {
        assert_eq!(take(start).await, Ok(()), "take {n}: nothing to take back adds nothing");
    }
    assert!(take(start).await.is_err());
    cache.give_back("guess", "ana", limit, start).await;
    assert_eq!(take(start).await, Ok(()));
    assert_eq!(take(start).await, Err(Duration::from_secs(20)), "one was taken back");
    let later = start + TimeDelta::seconds(50);
    cache.give_back("guess", "ana", limit, later).await;
    for n in 0..3 {
        assert_eq!(take(later).await, Ok(()), "take {n}: refilled and taken back, but not above the limit");
    }
    assert!(take(later).await.is_err());
    cache.refill("guess", "ana").await;
    for n in 0..3 {
        assert_eq!(take(later).await, Ok(()), "take {n} after all were taken back");
    }
    assert!(take(later).await.is_err());
}

async fn a_message_reaches_the_subscribers_of_its_channel(cache: &Cache) {
    // A message that no one waits for. Its channel gets no subscriber later: a cluster passes messages from node to node after the
    // call returned, so that a later subscriber may still receive it.
    cache.publish("member:0", bytes(b"without subscribers")).await;
    let mut first = cache.subscribe("member:1").await;
    let mut second = cache.subscribe("member:1").await;
    let mut other = cache.subscribe("member:2").await;
    cache.publish("member:1", bytes(b"one")).await;
    cache.publish("member:1", bytes(b"two")).await;
    cache.publish("member:2", bytes(b"three")).await;
    for subscriber in [&mut first, &mut second] {
        assert_eq!(message(subscriber).await, bytes(b"one"));
        assert_eq!(message(subscriber).await, bytes(b"two"));
    }
    assert_eq!(message(&mut other).await, bytes(b"three"));
    drop((first, second));
    let mut again = cache.subscribe("member:1").await;
    cache.publish("member:1", bytes(b"four")).await;
    assert_eq!(message(&mut again).await, bytes(b"four"), "a channel can be used again after its last subscriber left");
}

#[tokio::test]
async fn a_slow_subscriber_is_notified_of_missed_messages() {
    let cache = Cache::in_process();
    let mut subscriber = cache.subscribe("busy").await;
    for n in 0..1_000_u32 {
        cache.publish("busy", Bytes::from(n.to_string())).await;
    }
    assert_eq!(next_event(&mut subscriber).await, ChannelEvent::Missed);
    assert!(matches!(next_event(&mut subscriber).await, ChannelEvent::Message(_)), "later messages arrive");
}

#[tokio::test]
async fn replicas_share_one_redis() {
    let redis = Redis::start();
    let (here, there) = (redis.cache().await, redis.cache().await);
    here.set("card", "ana", bytes(b"shared"), MINUTE).await;
    assert_eq!(there.get("card", "ana").await, Some(bytes(b"shared")));
    there.delete("card", "ana").await;
    assert_eq!(here.get("card", "ana").await, None);

    let limit = Limit::new(2, MINUTE);
    assert!(here.take("posts", "ana", limit, moment()).await.is_ok());
    assert!(there.take("posts", "ana", limit, moment()).await.is_ok());
    assert!(here.take("posts", "ana", limit, moment()).await.is_err(), "one limit for all replicas");

    let mut subscriber = there.subscribe("ana").await;
    here.publish("ana", bytes(b"look")).await;
    assert_eq!(message(&mut subscriber).await, bytes(b"look"));
}

#[tokio::test]
async fn an_outage_of_redis_is_survived() {
    let mut redis = Redis::start();
    let cache = redis.cache().await;
    cache.set("card", "ana", bytes(b"before"), MINUTE).await;
    let mut subscriber = cache.subscribe("ana").await;

    redis.kill();
    cache.set("card", "ana", bytes(b"without redis"), MINUTE).await;
    assert_eq!(cache.get("card", "ana").await, Some(bytes(b"without redis")));
    let limit = Limit::new(1, MINUTE);
    assert!(cache.take("posts", "ana", limit, moment()).await.is_ok());
    assert!(cache.take("posts", "ana", limit, moment()).await.is_err(), "limits hold in process");
    cache.publish("ana", bytes(b"to this process at least")).await;
    assert_eq!(message(&mut subscriber).await, bytes(b"to this process at least"));
    assert!(!cache.is_shared());

    redis.run();
    eventually("Redis was not connected again", async || cache.is_shared()).await;
    assert_eq!(next_event(&mut subscriber).await, ChannelEvent::Missed, "messages of the outage are lost");
    cache.publish("ana", bytes(b"again")).await;
    assert_eq!(message(&mut subscriber).await, bytes(b"again"));
    contract(&cache).await;
}

#[tokio::test]
async fn a_value_changed_while_redis_hangs_does_not_return() {
    let redis = Redis::start();
    let (here, there) = (redis.cache().await, redis.cache().await);
    for key in ["deleted", "replaced", "untouched"] {
        here.set("session", key, bytes(b"old"), MINUTE).await;
    }
    redis.signal("STOP");
    let started = Instant::now();
    here.delete("session", "deleted").await;
    here.set("session", "replaced", bytes(b"new"), MINUTE).await;
    assert!(started.elapsed() < TIMEOUT, "a hanging Redis does not block callers");
    assert_eq!(here.get("session", "deleted").await, None);
    assert_eq!(here.get("session", "replaced").await, Some(bytes(b"new")));
    redis.signal("CONT");

    for cache in [&here, &there] {
        eventually("Redis was not connected again", async || cache.is_shared()).await;
    }
    for cache in [&here, &there] {
        assert_eq!(cache.get("session", "deleted").await, None);
        assert_ne!(cache.get("session", "replaced").await, Some(bytes(b"old")));
        assert_eq!(cache.get("session", "untouched").await, Some(bytes(b"old")));
    }
}

#[tokio::test]
async fn too_many_changes_in_an_outage_clear_the_cache() {
    let mut redis = Redis::start();
    let cache = redis.cache().await;
    cache.set("session", "old", bytes(b"old"), MINUTE).await;
    redis.signal("STOP");
    for n in 0..=10_000 {
        cache.delete("session", &n.to_string()).await;
    }
    cache.delete("session", "old").await;
    redis.signal("CONT");
    eventually("Redis was not connected again", async || cache.is_shared()).await;
    assert_eq!(cache.get("session", "old").await, None);
    redis.kill();
}

#[tokio::test]
async fn a_process_starts_without_redis() {
    let mut redis = Redis::start();
    redis.kill();
    let cache = Cache::connect(Some(&redis.url())).unwrap();
    contract(&cache).await;
    redis.run();
    eventually("Redis was not connected", async || cache.is_shared()).await;
}

#[tokio::test]
async fn a_redis_with_tls_and_a_password_is_verified() {
    let redis = Redis::start_encrypted("hunter2");
    let settings = |host: &str, password: &str, authority: &str| {
        let file = |name: &str| redis.folder.path().join(name).display().to_string();
        Source::default()
            .with("redis_url", format!("rediss://{host}:{}", redis.port))
            .with("redis_password_file", file(password))
            .with("redis_authority", file(authority))
    };
    let cache = Cache::open(&settings("localhost", "password", "ca.crt")).unwrap();
    eventually("redis-server did not start", async || cache.is_shared()).await;
    cache.set("card", "ana", bytes(b"one"), MINUTE).await;
    assert_eq!(cache.get("card", "ana").await, Some(bytes(b"one")));
    // Each of these is wrong, while the server is known to answer.
    for (host, password, authority) in
        [("localhost", "wrong", "ca.crt"), ("localhost", "password", "other.crt"), ("127.0.0.1", "password", "ca.crt")]
    {
        let refused = Cache::open(&settings(host, password, authority)).unwrap();
        let connected = timeout(Duration::from_secs(2), async {
            while !refused.is_shared() {
                sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(connected.await.is_err(), "{host} {password} {authority}");
    }
    let missing = Cache::open(&settings("localhost", "nothing", "ca.crt")).err().unwrap();
    assert!(missing.0.contains("PORTIA_REDIS_PASSWORD_FILE"), "{missing}");
}

#[tokio::test]
async fn an_invalid_redis_address_is_refused_without_repeating_it() {
    let error = Cache::connect(Some("http://user:hunter2@somewhere")).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[tokio::test]
async fn plaintext_to_another_machine_s_redis_is_refused_however_its_address_is_written() {
    for (url, is_accepted) in [
        ("redis://127.0.0.1:6379", true),
        ("redis://[::1]:6379", true),
        ("redis://:pa^ss@localhost:6379", true),
        ("redis+unix:///run/redis.sock", true),
        ("rediss://:pa^ss@redis.example:6379", true),
        ("redis://redis.example:6379", false),
        ("redis://:pa^ss@redis.example:6379", false),
        ("redis://localhost@redis.example:6379", false),
        ("rediss://redis.example:6379/#insecure", false),
    ] {
        let source = Source::default().with("redis_url", url);
        let refused = Cache::open(&source).err();
        assert_eq!(refused.is_none(), is_accepted, "{url}: {refused:?}");
        assert!(refused.is_none_or(|error| error.0.contains("rediss://") && !error.0.contains("pa^ss")), "{url}");
        assert!(Cache::open(&source.with("allow_plaintext", true)).is_ok(), "{url}");
    }
    let nonsense = Source::default().with("redis_url", "redis://:pa^ss@").with("allow_plaintext", true);
    let error = Cache::open(&nonsense).err().unwrap();
    assert!(error.0.starts_with("PORTIA_REDIS_URL: ") && !error.0.contains("pa^ss"), "{error}");
}

async fn eventually(otherwise: &str, mut happened: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !happened().await {
        assert!(Instant::now() < deadline, "{otherwise}");
        sleep(Duration::from_millis(5)).await;
    }
}

async fn next_event(subscriber: &mut Subscription) -> ChannelEvent {
    timeout(TIMEOUT, subscriber.next()).await.expect("no event arrived").expect("the stream ended")
}

async fn message(subscriber: &mut Subscription) -> Bytes {
    match next_event(subscriber).await {
        ChannelEvent::Message(message) => message,
        ChannelEvent::Missed => panic!("nothing was missed"),
    }
}

fn bytes(value: &'static [u8]) -> Bytes {
    Bytes::from_static(value)
}

fn moment() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}
