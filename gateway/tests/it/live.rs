//! The live stream: recipients, endings, and limits.

use axum::body::Body;
use chassis::config::Source;
use chrono::TimeDelta;
use http::Response;
use http_body_util::BodyExt as _;
use portia_proto::{
    auth::SessionEnded,
    feed::PostCreated,
    jobs::ApplicationChanged,
    messaging::{ConversationChanged, ConversationRead, MessageChanged, MessageSent, NotificationsChanged},
    profile::MemberChanged,
    social_graph::EventAttended,
};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, timeout};
use uuid::Uuid;

use crate::{
    actors::{ANA, APPLICATION, BEN, CARL, CONVERSATION, EVENT, MESSAGE, POST, SET_UP_COMMUNITY, id},
    fakes::{FakeServices, SOON},
    test_gateway::{TestGateway, TestRequest},
};

/// A browser with a live stream.
pub struct Listener {
    body: Body,
    text: String,
    /// The id of the stream.
    pub stream: String,
}

/// The name and the data of an event.
pub type LiveEvent = (String, Value);

impl Listener {
    fn new(response: Response<Body>) -> Self {
        assert_eq!(response.status(), 200);
        Self { body: response.into_body(), text: String::new(), stream: String::new() }
    }

    /// Opens a stream of a member and reads hello.
    pub async fn open(gateway: &TestGateway, member: Uuid) -> Self {
        let mut listener = Self::new(gateway.begin(TestRequest::new("GET", "/api/live").by_member(member)).await);
        let (name, data) = listener.next().await.unwrap();
        assert_eq!(name, "hello");
        listener.stream = data["streamId"].as_str().unwrap().to_owned();
        listener
    }

    /// The next raw block; `None` at the end.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let frame = timeout(SOON * 20, self.body.frame()).await.unwrap()?;
            self.text.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
    }

    pub async fn next(&mut self) -> Option<LiveEvent> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            if let Some(event) = field("event: ") {
                return Some((event, serde_json::from_str(&field("data: ").unwrap()).unwrap()));
            }
        }
    }

    pub async fn expect(&mut self, name: &str, data: Value) {
        assert_eq!(self.next().await, Some((name.to_owned(), data)));
    }

    async fn expect_end(mut self) {
        assert_eq!(self.next().await, None);
    }
}

/// A gateway that is subscribed to every source.
pub async fn start() -> TestGateway {
    start_with(|source| source).await
}

async fn start_with(settings: impl FnOnce(Source) -> Source) -> TestGateway {
    let gateway = TestGateway::start_with(settings).await;
    wait_for_subscriptions(&gateway).await;
    gateway
}

/// Waits until a stream receives a fact of each source: the subscription itself sends hello, as after a gap.
pub async fn wait_for_subscriptions(gateway: &TestGateway) {
    let mut first = Listener::open(gateway, BEN).await;
    let path = format!("/api/live/{}/interests", first.stream);
    let request = TestRequest::new("PUT", &path).by_member(BEN).json(&json!({ "communities": [SET_UP_COMMUNITY] }));
    assert_eq!(gateway.send(request).await.status, 200);
    let (fakes, member_id) = (&gateway.fakes, BEN.to_string());
    notify(gateway, BEN).await;
    let event_id = EVENT.to_string();
    fakes.publish("social-graph", &EventAttended { event_id, member_id: member_id.clone() }).await;
    let application_id = APPLICATION.to_string();
    fakes.publish("jobs", &ApplicationChanged { application_id, member_id: member_id.clone() }).await;
    fakes.publish("profile", &MemberChanged { member_id, school: None, location: None }).await;
    let (post_id, author_id, community_id) = (POST.to_string(), ANA.to_string(), Some(SET_UP_COMMUNITY.to_string()));
    fakes.publish("feed", &PostCreated { post_id, author_id, community_id, ..Default::default() }).await;
    let mut expected = vec!["notification", "event", "application", "profile", "post"];
    while !expected.is_empty() {
        let (name, _) = first.next().await.unwrap();
        expected.retain(|awaited| *awaited != name);
    }
    fakes.seen();
}

/// Publishes a notification fact of a member.
pub async fn notify(gateway: &TestGateway, member: Uuid) {
    gateway.fakes.publish("messaging", &NotificationsChanged { member_id: member.to_string() }).await;
}

/// The fact of a message of Ben to Ana.
pub fn message_sent() -> MessageSent {
    MessageSent {
        conversation_id: CONVERSATION.to_string(),
        message_id: MESSAGE.to_string(),
        sender_id: BEN.to_string(),
        recipient_id: Some(ANA.to_string()),
        recipient_ids: Vec::new(),
    }
}

#[tokio::test]
async fn a_stream_starts_with_hello_and_is_neither_buffered_nor_cached() {
    let gateway = start().await;
    let response = gateway.begin(TestRequest::new("GET", "/api/live").by_member(ANA)).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.headers()[name], value);
    }
    assert!(!response.headers().contains_key("content-length"));
    let mut listener = Listener::new(response);
    let hello = listener.block().await.unwrap();
    assert!(
        hello.starts_with("event: hello\ndata: {\"streamId\":\"") && hello.ends_with("\"}\nretry: 2000"),
        "{hello}"
    );
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
    assert_eq!(gateway.get("/api/live").await.refused(401)["error"], "Sign in required");
}

#[tokio::test]
async fn a_fact_reaches_every_browser_of_its_recipients_only() {
    let gateway = start().await;
    let (mut ana, mut second) = (Listener::open(&gateway, ANA).await, Listener::open(&gateway, ANA).await);
    let (mut ben, mut carl) = (Listener::open(&gateway, BEN).await, Listener::open(&gateway, CARL).await);
    let fakes = &gateway.fakes;
    fakes.publish("messaging", &message_sent()).await;
    let changed = MessageChanged {
        conversation_id: CONVERSATION.to_string(),
        message_id: MESSAGE.to_string(),
        member_ids: vec![BEN.to_string(), ANA.to_string()],
    };
    fakes.publish("messaging", &changed).await;
    let read = ConversationRead {
        conversation_id: CONVERSATION.to_string(),
        reader_id: ANA.to_string(),
        other_member_id: Some(BEN.to_string()),
        other_member_ids: Vec::new(),
    };
    fakes.publish("messaging", &read).await;
    let (conversation_id, member_id) = (CONVERSATION.to_string(), BEN.to_string());
    let moved = ConversationChanged { conversation_id, member_id, member_ids: Vec::new() };
    fakes.publish("messaging", &moved).await;
    // Facts of closed accounts and unknown facts have no recipients.
    fakes.publish("messaging", &MessageSent { recipient_id: None, ..message_sent() }).await;
    fakes.publish("messaging", &SessionEnded::default()).await;
    notify(&gateway, ANA).await;
    notify(&gateway, CARL).await;

    let message = json!({ "conversationId": CONVERSATION, "messageId": MESSAGE, "userId": BEN });
    let read = json!({ "conversationId": CONVERSATION, "userId": ANA });
    let changed = json!({ "conversationId": CONVERSATION, "messageId": MESSAGE });
    for browser in [&mut ana, &mut second] {
        browser.expect("message", message.clone()).await;
        browser.expect("message-changed", changed.clone()).await;
        browser.expect("conversation-read", read.clone()).await;
        browser.expect("notification", json!({})).await;
    }
    ben.expect("message", message.clone()).await;
    ben.expect("message-changed", changed).await;
    ben.expect("conversation-read", read).await;
    ben.expect("conversation", json!({ "conversationId": CONVERSATION })).await;
    ben.expect("message", message).await;
    carl.expect("notification", json!({})).await;
}

#[tokio::test]
async fn the_facts_of_a_group_reach_all_the_members_they_name() {
    let gateway = start().await;
    let (mut ana, mut carl) = (Listener::open(&gateway, ANA).await, Listener::open(&gateway, CARL).await);
    let members = vec![ANA.to_string(), CARL.to_string()];
    let sent = MessageSent { recipient_id: None, recipient_ids: members.clone(), ..message_sent() };
    gateway.fakes.publish("messaging", &sent).await;
    let (conversation_id, member_id) = (CONVERSATION.to_string(), String::new());
    let changed = ConversationChanged { conversation_id, member_id, member_ids: members.clone() };
    gateway.fakes.publish("messaging", &changed).await;
    let (conversation_id, reader_id) = (CONVERSATION.to_string(), BEN.to_string());
    let read = ConversationRead { conversation_id, reader_id, other_member_id: None, other_member_ids: members };
    gateway.fakes.publish("messaging", &read).await;
    for browser in [&mut ana, &mut carl] {
        browser.expect("message", json!({ "conversationId": CONVERSATION, "messageId": MESSAGE, "userId": BEN })).await;
        browser.expect("conversation", json!({ "conversationId": CONVERSATION })).await;
        browser.expect("conversation-read", json!({ "conversationId": CONVERSATION, "userId": BEN })).await;
    }
}

#[tokio::test]
async fn a_typing_indicator_reaches_the_other_participant_only() {
    let gateway = start().await;
    let (mut ana, mut ben, mut second) =
        (Listener::open(&gateway, ANA).await, Listener::open(&gateway, BEN).await, Listener::open(&gateway, BEN).await);
    let ask =
        TestRequest::new("POST", &format!("/api/conversations/{CONVERSATION}/typing")).by_member(ANA).json(&json!({}));
    assert_eq!(gateway.send(ask).await.status, 204);
    for browser in [&mut ben, &mut second] {
        browser.expect("typing", json!({ "conversationId": CONVERSATION, "userId": ANA })).await;
    }
    notify(&gateway, ANA).await;
    ana.expect("notification", json!({})).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let gateway = start().await;
    let (ana, second, mut ben) =
        (Listener::open(&gateway, ANA).await, Listener::open(&gateway, ANA).await, Listener::open(&gateway, BEN).await);
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/auth/logout").by_member(ANA)).await.status, 204);
    ana.expect_end().await;
    second.expect_end().await;
    notify(&gateway, BEN).await;
    ben.expect("notification", json!({})).await;
    gateway.send(TestRequest::new("GET", "/api/live").by_member(ANA)).await.refused(401);

    let ended = SessionEnded { member_id: BEN.to_string(), session_id: id(0x5b).to_string() };
    gateway.fakes.publish("auth", &ended).await;
    ben.expect_end().await;
}

#[tokio::test]
async fn buffered_events_are_not_sent_after_the_session_ends() {
    let gateway = start().await;
    let (ana, mut ben) = (Listener::open(&gateway, ANA).await, Listener::open(&gateway, BEN).await);
    gateway.fakes.publish("messaging", &message_sent()).await;
    ben.next().await.unwrap();
    assert_eq!(gateway.send(TestRequest::new("POST", "/api/auth/logout").by_member(ANA)).await.status, 204);
    ana.expect_end().await;
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_ends_its_stream_within_a_minute_and_an_outage_of_auth_does_not() {
    let gateway = start().await;
    let mut listener = Listener::open(&gateway, ANA).await;
    let begun = Instant::now();
    gateway.fakes.fail("resolve_session", FakeServices::unavailable());
    while begun.elapsed() < Duration::from_secs(300) {
        assert_eq!(listener.block().await.unwrap(), ": ", "a comment while auth is unavailable");
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    assert!(gateway.fakes.count("resolve_session") >= 4);
    gateway.fakes.heal();
    gateway.fakes.sessions.lock().unwrap().clear();
    // The circuit breaker of auth closes after a while.
    let expired = Instant::now();
    while let Some(block) = listener.block().await {
        assert_eq!(block, ": ");
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    assert!(expired.elapsed() <= Duration::from_secs(61), "{:?}", expired.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_sends_a_comment_every_fifteen_seconds_and_has_no_deadline() {
    let gateway = start().await;
    let mut listener = Listener::open(&gateway, ANA).await;
    let begun = Instant::now();
    for n in 1..=100 {
        assert_eq!(listener.block().await.unwrap(), ": ");
        assert_eq!(begun.elapsed().as_secs(), 15 * n);
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    notify(&gateway, ANA).await;
    listener.expect("notification", json!({})).await;
    assert!(gateway.fakes.count("resolve_session") >= 24, "the session is checked every minute");
}

#[tokio::test]
async fn a_gap_in_the_facts_sends_hello_to_every_stream() {
    let gateway = start().await;
    let (mut ana, mut ben) = (Listener::open(&gateway, ANA).await, Listener::open(&gateway, BEN).await);
    notify(&gateway, ANA).await;
    ana.expect("notification", json!({})).await;
    gateway.fakes.lose_facts("messaging").await;
    for browser in [&mut ana, &mut ben] {
        let stream = browser.stream.clone();
        browser.expect("hello", json!({ "streamId": stream })).await;
    }
    notify(&gateway, BEN).await;
    ben.expect("notification", json!({})).await;
}

#[tokio::test]
async fn the_ninth_stream_replaces_the_first() {
    let gateway = start().await;
    let mut browsers = Vec::new();
    for _ in 0..9 {
        browsers.push(Listener::open(&gateway, ANA).await);
    }
    let mut first = browsers.remove(0);
    first.expect("bye", json!({})).await;
    first.expect_end().await;
    notify(&gateway, ANA).await;
    for browser in &mut browsers {
        browser.expect("notification", json!({})).await;
    }
}

#[tokio::test]
async fn open_streams_need_no_permit() {
    let gateway = start_with(|source| source.with("in_flight", 1)).await;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        browsers.push(Listener::open(&gateway, ANA).await);
    }
    assert_eq!(gateway.get("/api/jobs").await.status, 200);
}

#[tokio::test]
async fn a_draining_gateway_sends_bye_and_accepts_no_streams() {
    let gateway = start().await;
    let (mut ana, mut ben) = (Listener::open(&gateway, ANA).await, Listener::open(&gateway, BEN).await);
    gateway.drain();
    for browser in [&mut ana, &mut ben] {
        browser.expect("bye", json!({})).await;
    }
    ana.expect_end().await;
    let mut late = Listener::open(&gateway, CARL).await;
    late.expect("bye", json!({})).await;
    late.expect_end().await;
}
