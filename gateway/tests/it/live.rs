//! The live stream: recipients, endings, and limits.

use axum::body::Body;
use chassis::config::Source;
use chrono::TimeDelta;
use http::Response;
use http_body_util::BodyExt as _;
use portia_proto::{
    auth::SessionEnded,
    messaging::{ConversationChanged, ConversationRead, MessageSent, NotificationsChanged},
};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, timeout};
use uuid::Uuid;

use crate::{
    actors::{ANA, BEN, CARL, CONVERSATION, MESSAGE, id},
    fakes::{FakeServices, SOON},
    test_gateway::{Ask, TestGateway},
};

/// A browser that listens.
pub struct Listener {
    body: Body,
    text: String,
}

/// An event's name and data; a comment has neither.
pub type Heard = (String, Value);

impl Listener {
    fn to(response: Response<Body>) -> Self {
        assert_eq!(response.status(), 200);
        Self { body: response.into_body(), text: String::new() }
    }

    /// A member's, which has said hello.
    pub async fn of(gateway: &TestGateway, member: Uuid) -> Self {
        let mut listener = Self::to(gateway.begin(Ask::new("GET", "/api/live").of(member)).await);
        assert_eq!(listener.next().await, Some(("hello".to_owned(), json!({}))));
        listener
    }

    /// What comes next, as it was written; `None` at the end.
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

    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            if let Some(event) = field("event: ") {
                return Some((event, serde_json::from_str(&field("data: ").unwrap()).unwrap()));
            }
        }
    }

    pub async fn hears(&mut self, name: &str, data: Value) {
        assert_eq!(self.next().await, Some((name.to_owned(), data)));
    }

    async fn ends(mut self) {
        assert_eq!(self.next().await, None);
    }
}

/// A gateway that hears messaging: what it says hello for when it begins to is past.
async fn open() -> TestGateway {
    open_with(|source| source).await
}

async fn open_with(settings: impl FnOnce(Source) -> Source) -> TestGateway {
    let gateway = TestGateway::start_with(settings).await;
    let mut first = Listener::of(&gateway, CARL).await;
    ring(&gateway, CARL).await;
    while first.next().await.unwrap().0 != "notification" {}
    gateway
}

/// The notification fact of a member.
pub async fn ring(gateway: &TestGateway, member: Uuid) {
    gateway.fakes.tell("messaging", &NotificationsChanged { member_id: member.to_string() }).await;
}

/// Ben's message to Ana.
pub fn said() -> MessageSent {
    MessageSent {
        conversation_id: CONVERSATION.to_string(),
        message_id: MESSAGE.to_string(),
        sender_id: BEN.to_string(),
        recipient_id: Some(ANA.to_string()),
    }
}

#[tokio::test]
async fn it_begins_with_hello_and_is_not_to_be_collected_or_kept() {
    let gateway = open().await;
    let response = gateway.begin(Ask::new("GET", "/api/live").of(ANA)).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-store"),
        ("x-accel-buffering", "no"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(response.headers()[name], value);
    }
    assert!(!response.headers().contains_key("content-length"));
    let mut listener = Listener::to(response);
    assert_eq!(listener.block().await.unwrap(), "event: hello\ndata: {}\nretry: 2000");
    assert!(gateway.fakes.seen().iter().all(|seen| seen.method == "resolve_session"));
    assert_eq!(gateway.get("/api/live").await.refused(401)["error"], "Sign in required");
}

#[tokio::test]
async fn a_fact_reaches_every_browser_of_its_recipients_only() {
    let gateway = open().await;
    let (mut ana, mut second) = (Listener::of(&gateway, ANA).await, Listener::of(&gateway, ANA).await);
    let (mut ben, mut carl) = (Listener::of(&gateway, BEN).await, Listener::of(&gateway, CARL).await);
    let tell = &gateway.fakes;
    tell.tell("messaging", &said()).await;
    let read = ConversationRead {
        conversation_id: CONVERSATION.to_string(),
        reader_id: ANA.to_string(),
        other_member_id: Some(BEN.to_string()),
    };
    tell.tell("messaging", &read).await;
    let moved = ConversationChanged { conversation_id: CONVERSATION.to_string(), member_id: BEN.to_string() };
    tell.tell("messaging", &moved).await;
    // Facts of closed accounts and unknown facts have no recipients.
    tell.tell("messaging", &MessageSent { recipient_id: None, ..said() }).await;
    tell.tell("messaging", &SessionEnded::default()).await;
    ring(&gateway, ANA).await;
    ring(&gateway, CARL).await;

    let message = json!({ "conversationId": CONVERSATION, "messageId": MESSAGE, "userId": BEN });
    let read = json!({ "conversationId": CONVERSATION, "userId": ANA });
    for browser in [&mut ana, &mut second] {
        browser.hears("message", message.clone()).await;
        browser.hears("conversation-read", read.clone()).await;
        browser.hears("notification", json!({})).await;
    }
    ben.hears("message", message.clone()).await;
    ben.hears("conversation-read", read).await;
    ben.hears("conversation", json!({ "conversationId": CONVERSATION })).await;
    ben.hears("message", message).await;
    carl.hears("notification", json!({})).await;
}

#[tokio::test]
async fn who_types_is_shown_to_the_other_and_not_to_themselves() {
    let gateway = open().await;
    let (mut ana, mut ben, mut second) =
        (Listener::of(&gateway, ANA).await, Listener::of(&gateway, BEN).await, Listener::of(&gateway, BEN).await);
    let ask = Ask::new("POST", &format!("/api/conversations/{CONVERSATION}/typing")).of(ANA).json(&json!({}));
    assert_eq!(gateway.send(ask).await.status, 204);
    for browser in [&mut ben, &mut second] {
        browser.hears("typing", json!({ "conversationId": CONVERSATION, "userId": ANA })).await;
    }
    ring(&gateway, ANA).await;
    ana.hears("notification", json!({})).await;
}

#[tokio::test]
async fn it_ends_with_the_session_at_once() {
    let gateway = open().await;
    let (ana, second, mut ben) =
        (Listener::of(&gateway, ANA).await, Listener::of(&gateway, ANA).await, Listener::of(&gateway, BEN).await);
    assert_eq!(gateway.send(Ask::new("POST", "/api/auth/logout").of(ANA)).await.status, 204);
    ana.ends().await;
    second.ends().await;
    ring(&gateway, BEN).await;
    ben.hears("notification", json!({})).await;
    gateway.send(Ask::new("GET", "/api/live").of(ANA)).await.refused(401);

    let ended = SessionEnded { member_id: BEN.to_string(), session_id: id(0x5b).to_string() };
    gateway.fakes.tell("auth", &ended).await;
    ben.ends().await;
}

#[tokio::test]
async fn buffered_events_are_not_sent_after_the_session_ends() {
    let gateway = open().await;
    let (ana, mut ben) = (Listener::of(&gateway, ANA).await, Listener::of(&gateway, BEN).await);
    gateway.fakes.tell("messaging", &said()).await;
    ben.next().await.unwrap();
    assert_eq!(gateway.send(Ask::new("POST", "/api/auth/logout").of(ANA)).await.status, 204);
    ana.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_session_that_expires_is_noticed_within_a_minute_and_an_absent_auth_ends_nothing() {
    let gateway = open().await;
    let mut listener = Listener::of(&gateway, ANA).await;
    let begun = Instant::now();
    gateway.fakes.fail("resolve_session", FakeServices::away());
    while begun.elapsed() < Duration::from_secs(300) {
        assert_eq!(listener.block().await.unwrap(), ": ", "a sign of life, while nobody can say");
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    assert!(gateway.fakes.count("resolve_session") >= 4);
    gateway.fakes.heal();
    gateway.fakes.sessions.lock().unwrap().clear();
    // The breaker in front of auth opens again in its own time.
    let expired = Instant::now();
    while let Some(block) = listener.block().await {
        assert_eq!(block, ": ");
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    assert!(expired.elapsed() <= Duration::from_secs(61), "{:?}", expired.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_gives_a_sign_of_life_every_fifteen_seconds_and_outlives_every_deadline() {
    let gateway = open().await;
    let mut listener = Listener::of(&gateway, ANA).await;
    let begun = Instant::now();
    for n in 1..=100 {
        assert_eq!(listener.block().await.unwrap(), ": ");
        assert_eq!(begun.elapsed().as_secs(), 15 * n);
        gateway.clock.advance(TimeDelta::seconds(15));
    }
    ring(&gateway, ANA).await;
    listener.hears("notification", json!({})).await;
    assert!(gateway.fakes.count("resolve_session") >= 24, "it is asked every minute whether the session stands");
}

#[tokio::test]
async fn when_facts_may_have_been_missed_everybody_looks_again() {
    let gateway = open().await;
    let (mut ana, mut ben) = (Listener::of(&gateway, ANA).await, Listener::of(&gateway, BEN).await);
    ring(&gateway, ANA).await;
    ana.hears("notification", json!({})).await;
    gateway.fakes.lose_facts("messaging").await;
    for browser in [&mut ana, &mut ben] {
        browser.hears("hello", json!({})).await;
    }
    ring(&gateway, BEN).await;
    ben.hears("notification", json!({})).await;
}

#[tokio::test]
async fn the_ninth_browser_takes_the_place_of_the_first() {
    let gateway = open().await;
    let mut browsers = Vec::new();
    for _ in 0..9 {
        browsers.push(Listener::of(&gateway, ANA).await);
    }
    let mut first = browsers.remove(0);
    first.hears("bye", json!({})).await;
    first.ends().await;
    ring(&gateway, ANA).await;
    for browser in &mut browsers {
        browser.hears("notification", json!({})).await;
    }
}

#[tokio::test]
async fn open_streams_take_no_place_of_requests() {
    let gateway = open_with(|source| source.with("in_flight", 1)).await;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        browsers.push(Listener::of(&gateway, ANA).await);
    }
    assert_eq!(gateway.get("/api/jobs").await.status, 200);
}

#[tokio::test]
async fn a_draining_gateway_sends_bye_and_accepts_no_streams() {
    let gateway = open().await;
    let (mut ana, mut ben) = (Listener::of(&gateway, ANA).await, Listener::of(&gateway, BEN).await);
    gateway.drain();
    for browser in [&mut ana, &mut ben] {
        browser.hears("bye", json!({})).await;
    }
    ana.ends().await;
    let mut late = Listener::of(&gateway, CARL).await;
    late.hears("bye", json!({})).await;
    late.ends().await;
}
