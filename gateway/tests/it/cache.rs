//! Cache state answers the same in process and through Redis, and survives Redis's coming and going.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt as _;
use gateway::edge::cache::{Cache, Heard, Limit, Subscription};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

const MINUTE: Duration = Duration::from_secs(60);
/// For a machine that is busy with the other tests; it decides nothing but when to give up.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn in_process_it_keeps_the_contract() {
    contract(&Cache::in_process()).await;
}

#[tokio::test]
async fn in_redis_it_keeps_the_contract() {
    let redis = Redis::start();
    contract(&redis.cache().await).await;
}

/// What a caller may rely on, whichever store is behind.
async fn contract(cache: &Cache) {
    values_live_until_they_are_replaced_deleted_or_old(cache).await;
    a_limit_lets_its_count_through_and_one_more_at_a_time(cache).await;
    racing_takers_get_no_more_than_the_limit(cache).await;
    a_message_reaches_who_listens_on_its_channel(cache).await;
}

async fn values_live_until_they_are_replaced_deleted_or_old(cache: &Cache) {
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
    eventually("a value outlives its time", async || cache.get("card", "old").await.is_none()).await;

    cache.set("card", "ben", Bytes::from(vec![0; 64 * 1024 + 1]), MINUTE).await;
    assert_eq!(cache.get("card", "ben").await, None, "what is too large is not kept, nor what it replaced");
    cache.set("card", "never", bytes(b"x"), Duration::ZERO).await;
    assert_eq!(cache.get("card", "never").await, None);
}

async fn a_limit_lets_its_count_through_and_one_more_at_a_time(cache: &Cache) {
    let limit = Limit::new(3, MINUTE);
    let start = moment();
    for n in 0..3 {
        assert_eq!(cache.take("sign-in", "10.0.0.1", limit, start).await, Ok(()), "take {n}");
    }
    let after = async |at| cache.take("sign-in", "10.0.0.1", limit, at).await.map_err(|retry| retry.after);
    assert_eq!(after(start).await, Err(Duration::from_secs(20)));
    assert_eq!(after(start + TimeDelta::seconds(19)).await, Err(Duration::from_secs(1)), "refusals cost nothing");
    assert_eq!(after(start + TimeDelta::seconds(20)).await, Ok(()));
    assert_eq!(after(start + TimeDelta::seconds(20)).await, Err(Duration::from_secs(20)));
    assert_eq!(after(start - TimeDelta::days(1)).await, Err(Duration::from_secs(20)), "a clock set back");
    assert_eq!(cache.take("sign-in", "10.0.0.2", limit, start).await, Ok(()), "another key");
    assert_eq!(cache.take("reset", "10.0.0.1", limit, start).await, Ok(()), "another bucket");
    let whole_again = start + TimeDelta::seconds(200);
    for n in 0..3 {
        assert_eq!(after(whole_again).await, Ok(()), "take {n} after a rest");
    }
    assert!(after(whole_again).await.is_err());
    let nothing = cache.take("closed", "10.0.0.1", Limit::new(0, MINUTE), start).await;
    assert_eq!(nothing.map_err(|retry| retry.after), Err(MINUTE));
}

async fn racing_takers_get_no_more_than_the_limit(cache: &Cache) {
    let limit = Limit::new(7, Duration::from_secs(3600));
    let takers = (0..50).map(|_| cache.take("race", "member", limit, moment()));
    let taken = futures::future::join_all(takers).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(taken, 7);
}

async fn a_message_reaches_who_listens_on_its_channel(cache: &Cache) {
    cache.publish("member:1", bytes(b"nobody listens yet")).await;
    let mut first = cache.subscribe("member:1").await;
    let mut second = cache.subscribe("member:1").await;
    let mut other = cache.subscribe("member:2").await;
    cache.publish("member:1", bytes(b"one")).await;
    cache.publish("member:1", bytes(b"two")).await;
    cache.publish("member:2", bytes(b"three")).await;
    for listener in [&mut first, &mut second] {
        assert_eq!(message(listener).await, bytes(b"one"));
        assert_eq!(message(listener).await, bytes(b"two"));
    }
    assert_eq!(message(&mut other).await, bytes(b"three"));
    drop((first, second));
    let mut again = cache.subscribe("member:1").await;
    cache.publish("member:1", bytes(b"four")).await;
    assert_eq!(message(&mut again).await, bytes(b"four"), "a channel opens again after its last listener left");
}

#[tokio::test]
async fn a_listener_who_falls_behind_learns_that_it_missed_something() {
    let cache = Cache::in_process();
    let mut listener = cache.subscribe("busy").await;
    for n in 0..1_000_u32 {
        cache.publish("busy", Bytes::from(n.to_string())).await;
    }
    assert_eq!(heard(&mut listener).await, Heard::Missed);
    assert!(matches!(heard(&mut listener).await, Heard::Message(_)), "and hears on");
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

    let mut listener = there.subscribe("ana").await;
    here.publish("ana", bytes(b"look")).await;
    assert_eq!(message(&mut listener).await, bytes(b"look"));
}

#[tokio::test]
async fn redis_may_leave_and_come_back_in_the_middle() {
    let mut redis = Redis::start();
    let cache = redis.cache().await;
    cache.set("card", "ana", bytes(b"before"), MINUTE).await;
    let mut listener = cache.subscribe("ana").await;

    redis.kill();
    cache.set("card", "ana", bytes(b"without redis"), MINUTE).await;
    assert_eq!(cache.get("card", "ana").await, Some(bytes(b"without redis")));
    let limit = Limit::new(1, MINUTE);
    assert!(cache.take("posts", "ana", limit, moment()).await.is_ok());
    assert!(cache.take("posts", "ana", limit, moment()).await.is_err(), "limits hold in process");
    cache.publish("ana", bytes(b"to this process at least")).await;
    assert_eq!(message(&mut listener).await, bytes(b"to this process at least"));
    assert!(!cache.is_shared());

    redis.run();
    eventually("Redis was not found again", async || cache.is_shared()).await;
    assert_eq!(heard(&mut listener).await, Heard::Missed, "what was said in between is nowhere");
    cache.publish("ana", bytes(b"again")).await;
    assert_eq!(message(&mut listener).await, bytes(b"again"));
    contract(&cache).await;
}

#[tokio::test]
async fn a_value_changed_while_redis_hung_does_not_come_back() {
    let redis = Redis::start();
    let (here, there) = (redis.cache().await, redis.cache().await);
    for key in ["deleted", "replaced", "untouched"] {
        here.set("session", key, bytes(b"old"), MINUTE).await;
    }
    redis.signal("STOP");
    let started = Instant::now();
    here.delete("session", "deleted").await;
    here.set("session", "replaced", bytes(b"new"), MINUTE).await;
    assert!(started.elapsed() < PATIENCE, "nobody waits for a Redis that hangs");
    assert_eq!(here.get("session", "deleted").await, None);
    assert_eq!(here.get("session", "replaced").await, Some(bytes(b"new")));
    redis.signal("CONT");

    for cache in [&here, &there] {
        eventually("Redis was not found again", async || cache.is_shared()).await;
    }
    for cache in [&here, &there] {
        assert_eq!(cache.get("session", "deleted").await, None);
        assert_ne!(cache.get("session", "replaced").await, Some(bytes(b"old")));
        assert_eq!(cache.get("session", "untouched").await, Some(bytes(b"old")));
    }
}

#[tokio::test]
async fn more_changes_than_are_remembered_forget_everything() {
    let mut redis = Redis::start();
    let cache = redis.cache().await;
    cache.set("session", "old", bytes(b"old"), MINUTE).await;
    redis.signal("STOP");
    for n in 0..=10_000 {
        cache.delete("session", &n.to_string()).await;
    }
    cache.delete("session", "old").await;
    redis.signal("CONT");
    eventually("Redis was not found again", async || cache.is_shared()).await;
    assert_eq!(cache.get("session", "old").await, None);
    redis.kill();
}

#[tokio::test]
async fn a_process_starts_without_its_redis() {
    let mut redis = Redis::start();
    redis.kill();
    let cache = Cache::connect(Some(&redis.url())).unwrap();
    contract(&cache).await;
    redis.run();
    eventually("Redis was not found", async || cache.is_shared()).await;
}

#[tokio::test]
async fn an_invalid_redis_address_is_refused_without_repeating_it() {
    let error = Cache::connect(Some("http://user:hunter2@somewhere")).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

/// A redis-server of this test's own; killed with the value.
struct Redis {
    folder: TempDir,
    port: u16,
    server: Child,
}

impl Redis {
    fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let folder = tempfile::tempdir().unwrap();
        let server = spawn(&folder, port);
        Self { folder, port, server }
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port)
    }

    /// A connection of its own, once it stands, which bears with a slow machine: these tests are not about speed.
    async fn cache(&self) -> Cache {
        let cache = Cache::connect_within(Some(&self.url()), Duration::from_secs(2)).unwrap();
        eventually("redis-server did not start", async || cache.is_shared()).await;
        cache
    }

    fn run(&mut self) {
        self.server = spawn(&self.folder, self.port);
    }

    fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    fn signal(&self, signal: &str) {
        // The shell's own kill: a slim machine has no other.
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", self.server.id())]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It may be dead already; either way nothing is left behind.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn spawn(folder: &TempDir, port: u16) -> Child {
    Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
        .args(["--save", "", "--appendonly", "no", "--dir"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("redis-server is needed on the PATH for this test (Debian: apt-get install redis-server)")
}

async fn eventually(otherwise: &str, mut happened: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !happened().await {
        assert!(Instant::now() < deadline, "{otherwise}");
        sleep(Duration::from_millis(5)).await;
    }
}

async fn heard(listener: &mut Subscription) -> Heard {
    timeout(PATIENCE, listener.next()).await.expect("nothing was heard").expect("the stream goes on")
}

async fn message(listener: &mut Subscription) -> Bytes {
    match heard(listener).await {
        Heard::Message(message) => message,
        Heard::Missed => panic!("nothing was missed"),
    }
}

fn bytes(value: &'static [u8]) -> Bytes {
    Bytes::from_static(value)
}

fn moment() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).unwrap()
}
