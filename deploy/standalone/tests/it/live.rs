//! Live events over the whole stack: two gateways, several tabs, and failing processes.

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use chassis::{
    ServiceContext,
    lifecycle::{self, Activity, Readiness, Standby, Tasks},
};
use gateway::edge::cache::Cache;
use portia::stack::Stack;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    browser::{Browser, Live},
    local::{config, folder, start_with, wait_until_consumes},
    processes::{Processes, free_port},
};

/// The maximum delay of a fact between two processes.
const MAX_DELAY: Duration = Duration::from_secs(15);

async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let asked = Instant::now();
    while !holds().await {
        assert!(asked.elapsed() < MAX_DELAY, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A redis-server of the test's own; killed with the value.
struct Redis {
    url: String,
    server: Child,
    _folder: tempfile::TempDir,
}

impl Redis {
    fn start() -> Self {
        let port = free_port();
        let folder = tempfile::tempdir().unwrap();
        let server = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("redis-server is needed on the PATH for this test (Debian: apt-get install redis-server)");
        Self { url: format!("redis://127.0.0.1:{port}/0"), server, _folder: folder }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// One set of services behind two gateways.
struct TwoGateways {
    stack: Stack,
    second: Arc<ServiceContext>,
    bases: [String; 2],
    _data: tempfile::TempDir,
    // Dropped last.
    _redis: Option<Redis>,
}

impl TwoGateways {
    async fn open(redis: Option<Redis>) -> Self {
        let data = folder();
        let config = redis.iter().fold(config(), |config, redis| config.with("redis_url", &redis.url));
        let stack = start_with(&data, true, config).await;
        let first = stack.context("gateway").unwrap();
        // Two processes share a cache through Redis or not at all; two gateways of one process share one in memory.
        let cache = match &redis {
            Some(redis) => Cache::connect(Some(&redis.url)).unwrap(),
            None => stack.cache.clone(),
        };
        let second = Arc::new(ServiceContext {
            service: "gateway",
            config: first.config.clone(),
            clock: first.clock.clone(),
            ids: first.ids.clone(),
            keyring: Arc::clone(&first.keyring),
            signer: Arc::clone(&first.signer),
            upstreams: first.upstreams.clone(),
            tasks: Tasks::default(),
            activity: Activity::default(),
            readiness: Readiness::default(),
            standby: Standby::default(),
            database: None,
            database_limits: first.database_limits.clone(),
        });
        if redis.is_some() {
            for cache in [&stack.cache, &cache] {
                eventually("Redis is connected", async || cache.is_shared()).await;
            }
        }
        let server = gateway::start(Arc::clone(&second), cache).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bases = [stack.address, listener.local_addr().unwrap()].map(|address| format!("http://{address}"));
        let draining = second.tasks.draining();
        second.tasks.track(server.serve(listener, async move { draining.cancelled().await }));
        Self { stack, second, bases, _data: data, _redis: redis }
    }

    /// A new member, at the first gateway and at the second.
    async fn member(&self, username: &str) -> ([Browser; 2], String) {
        let mut first = Browser::new(&self.bases[0]);
        let id = first.register(username).await;
        let second = first.at(&self.bases[1]);
        ([first, second], id)
    }

    async fn close(self) {
        lifecycle::stop(&self.second, Duration::ZERO).await;
        self.stack.stop().await.unwrap();
    }
}

async fn live_streams(browsers: &[Browser; 2]) -> [Live; 2] {
    [browsers[0].live().await, browsers[1].live().await]
}

async fn wait_until_received(streams: [&mut [Live; 2]; 2], event: &str, data: &Value) {
    for stream in streams.into_iter().flatten() {
        stream.wait_for(event, data).await;
    }
}

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_in_every_tab_on_every_gateway() {
    arrives(TwoGateways::open(None).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn events_arrive_through_redis() {
    arrives(TwoGateways::open(Some(Redis::start())).await).await;
}

async fn arrives(gateways: TwoGateways) {
    let (mut ana, ana_id) = gateways.member("ana").await;
    let (mut ben, ben_id) = gateways.member("ben").await;
    let (carl, _) = gateways.member("carl").await;
    let (mut to_ana, mut to_ben, to_carl) =
        (live_streams(&ana).await, live_streams(&ben).await, live_streams(&carl).await);

    // Ana sends a request through the first gateway.
    let conversation = id_of(&ana[0].post("/api/conversations", json!({"userId": ben_id})).await.expect(201));
    let path = format!("/api/conversations/{conversation}");
    let here = json!({"conversationId": conversation});
    let sent = ana[0].post(&format!("{path}/messages"), json!({"content": "Hello"})).await.expect(201);
    let message = json!({"conversationId": conversation, "messageId": sent["id"], "userId": ana_id});
    wait_until_received([&mut to_ana, &mut to_ben], "message", &message).await;
    assert_eq!(ben[1].get("/api/unread").await.expect(200)["requests"], json!(1));

    // Ben accepts it through the second.
    ben[1].post(&format!("{path}/accept"), json!({})).await.expect(200);
    for stream in &mut to_ben {
        stream.wait_for("conversation", &here).await;
    }
    let thread = ben[1].get(&path).await.expect(200);
    assert_eq!(thread["messages"][0]["content"], json!("Hello"));
    let read = json!({"conversationId": conversation, "userId": ben_id});
    wait_until_received([&mut to_ana, &mut to_ben], "conversation-read", &read).await;
    assert_eq!(ana[0].get(&path).await.expect(200)["messages"][0]["isRead"], json!(true));

    // Ben types repeatedly: a typing event may be lost on a busy machine.
    let typing = async {
        for _ in 0..40 {
            ben[1].post(&format!("{path}/typing"), json!({})).await.expect(204);
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    };
    tokio::select! {
        () = typing => panic!("it must not be visible"),
        () = async {
            for stream in &mut to_ana {
                stream.wait_for("typing", &json!({"conversationId": conversation, "userId": ben_id})).await;
            }
        } => {}
    }
    let answer = ben[1].post(&format!("{path}/messages"), json!({"content": "Hi!"})).await.expect(201);
    let message = json!({"conversationId": conversation, "messageId": answer["id"], "userId": ben_id});
    wait_until_received([&mut to_ana, &mut to_ben], "message", &message).await;

    // The notification arrives after the fact of social-graph.
    wait_until_consumes(&gateways.stack, "messaging", "social-graph").await;
    let asked = ben[0].post("/api/connections", json!({"recipientId": ana_id})).await.expect(201);
    for stream in &mut to_ana {
        stream.wait_for("notification", &json!({})).await;
    }
    let notifications = ana[1].get("/api/notifications").await.expect(200);
    assert_eq!(
        (&notifications[0]["kind"], &notifications[0]["actors"][0]["id"]),
        (&json!("connection_requested"), &json!(ben_id))
    );
    let accept = format!("/api/connections/{}", id_of(&asked));
    ana[1].send(Method::PATCH, &accept, Some(json!({"status": "accepted"})), &[]).await.expect(200);
    for stream in &mut to_ben {
        stream.wait_for("notification", &json!({})).await;
    }

    // A member outside the conversation received nothing. Sign-out ends every stream of that session and no other.
    let [here, there] = to_carl;
    assert_eq!(ana[0].post("/api/auth/logout", json!({})).await.status, 204);
    for stream in to_ana {
        stream.rest().await;
    }
    assert_eq!(Live::open(&ana[1]).await.err(), Some(StatusCode::UNAUTHORIZED));
    let sent = ben[0].post(&format!("{path}/messages"), json!({"content": "Gone?"})).await.expect(201);
    for stream in &mut to_ben {
        let message = json!({"conversationId": conversation, "messageId": sent["id"], "userId": ben_id});
        stream.wait_for("message", &message).await;
    }

    // A gateway that shuts down sends bye and closes its streams; the other continues.
    let begun = Instant::now();
    lifecycle::stop(&gateways.second, Duration::ZERO).await;
    assert!(begun.elapsed() < MAX_DELAY / 2, "open streams delay the shutdown: {:?}", begun.elapsed());
    assert_eq!(there.rest().await, ["bye"]);
    let [mut first, second] = to_ben;
    assert_eq!(second.rest().await.last().map(String::as_str), Some("bye"));
    let sent = ben[0].post(&format!("{path}/messages"), json!({"content": "Still here"})).await.expect(201);
    first
        .wait_for("message", &json!({"conversationId": conversation, "messageId": sent["id"], "userId": ben_id}))
        .await;
    gateways.close().await;
    assert_eq!(here.rest().await, ["bye"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_survive_a_restart_of_messaging_and_send_hello_after_a_gap() {
    let mut processes = Processes::start(&[]).await;
    let mut ana = Browser::new(&processes.base);
    let mut ben = Browser::new(&processes.base);
    let (_, ben_id) = (ana.register("ana").await, ben.register("ben").await);
    processes.wait_for_status(&mut ana, "/api/conversations", 200).await;
    let opened = ana.post("/api/conversations", json!({"userId": ben_id})).await.expect(201);
    let path = format!("/api/conversations/{}", id_of(&opened));
    let mut before = ben.live().await;
    let messages = format!("{path}/messages");
    ana.post(&messages, json!({"content": "One"})).await.expect(201);
    // A second hello: the gateway subscribes to messaging only now, and the browser refetches what it may have missed.
    while before.next_of(&["message", "hello"]).await == "hello" {
        ana.post(&messages, json!({"content": "One, again"})).await.expect(201);
    }

    processes.kill("messaging");
    let unread = ben.get_once("/api/unread").await;
    assert_eq!((unread.status.as_u16(), &unread.headers["x-degraded"]), (200, &"messaging".parse().unwrap()));
    ben.get_once("/api/conversations").await.expect(503);
    // A newly started gateway has no subscription yet, and sends hello for each source once it has one.
    let second = processes.second_gateway().await;
    let mut begun = ben.at(&second).live().await;
    processes.spawn("messaging");
    processes.wait_for_status(&mut ben, "/api/conversations", 200).await;
    ana.post(&messages, json!({"content": "Two"})).await.expect(201);
    while begun.next_of(&["message", "hello"]).await == "hello" {
        ana.post(&messages, json!({"content": "Two, again"})).await.expect(201);
    }
    let next = ana.post(&messages, json!({"content": "Three"})).await.expect(201);
    let received = json!({"conversationId": opened["id"], "messageId": next["id"], "userId": next["userId"]});
    for stream in [&mut before, &mut begun] {
        stream.wait_for("message", &received).await;
    }
}

/// Reads until hello, after which the stream is idle.
#[cfg(target_os = "linux")]
async fn idle(address: &str, cookie: &str) -> tokio::net::TcpStream {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let ask = format!("GET /api/live HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.unwrap();
    let (mut answer, mut piece) = (String::new(), [0; 2048]);
    while !answer.contains("event: hello") {
        let read = tokio::time::timeout(MAX_DELAY, stream.read(&mut piece)).await.unwrap().unwrap();
        assert_ne!(read, 0, "{answer}");
        answer.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    stream
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_idle_streams_cost_a_gateway_little() {
    const STREAMS: usize = 400;
    let processes = Processes::start(&[("PORTIA_CONNECTIONS_PER_CLIENT", "2000")]).await;
    let mut cookies = Vec::new();
    for n in 0..STREAMS / 8 {
        let mut member = Browser::new(&processes.base);
        member.register(&format!("idle.{n}")).await;
        cookies.push(member.cookie());
    }
    let address = processes.base.trim_start_matches("http://");
    let before = processes.resident("gateway");
    let mut streams = Vec::new();
    for n in 0..STREAMS {
        streams.push(idle(address, &cookies[n / 8]).await);
    }
    let after = processes.resident("gateway");
    let each = (after - before) / STREAMS as u64;
    println!("a gateway holds {before} KiB, with {STREAMS} idle streams {after} KiB: {each} KiB a stream");
    assert!(each < 64, "{each} KiB a stream");
}
