//! The live stream: who is told what, how it ends, and what it does not cost.

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
    cast::{ANA, BEN, CARL, CONVERSATION, MESSAGE, id},
    door::{Ask, Door},
    fakes::{SOON, World},
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
    pub async fn of(door: &Door, member: Uuid) -> Self {
        let mut listener = Self::to(door.begin(Ask::new("GET", "/api/live").of(member)).await);
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

/// A door that hears messaging: what it says hello for when it begins to is past.
async fn open() -> Door {
    open_with(|source| source).await
}

async fn open_with(settings: impl FnOnce(Source) -> Source) -> Door {
    let door = Door::with(settings).await;
    let mut first = Listener::of(&door, CARL).await;
    ring(&door, CARL).await;
    while first.next().await.unwrap().0 != "notification" {}
    door
}

/// The bell of a member.
pub async fn ring(door: &Door, member: Uuid) {
    door.world.tell("messaging", &NotificationsChanged { member_id: member.to_string() }).await;
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
    let door = open().await;
    let response = door.begin(Ask::new("GET", "/api/live").of(ANA)).await;
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
    assert!(door.world.seen().iter().all(|seen| seen.method == "resolve_session"));
    assert_eq!(door.get("/api/live").await.refused(401)["error"], "Sign in required");
}

#[tokio::test]
async fn those_whom_a_fact_concerns_are_told_in_every_browser_and_nobody_else_is() {
    let door = open().await;
    let (mut ana, mut second) = (Listener::of(&door, ANA).await, Listener::of(&door, ANA).await);
    let (mut ben, mut carl) = (Listener::of(&door, BEN).await, Listener::of(&door, CARL).await);
    let tell = &door.world;
    tell.tell("messaging", &said()).await;
    let read = ConversationRead {
        conversation_id: CONVERSATION.to_string(),
        reader_id: ANA.to_string(),
        other_member_id: Some(BEN.to_string()),
    };
    tell.tell("messaging", &read).await;
    let moved = ConversationChanged { conversation_id: CONVERSATION.to_string(), member_id: BEN.to_string() };
    tell.tell("messaging", &moved).await;
    // Of somebody who is gone nobody is told, of something unknown nobody either.
    tell.tell("messaging", &MessageSent { recipient_id: None, ..said() }).await;
    tell.tell("messaging", &SessionEnded::default()).await;
    ring(&door, ANA).await;
    ring(&door, CARL).await;

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
    let door = open().await;
    let (mut ana, mut ben, mut second) =
        (Listener::of(&door, ANA).await, Listener::of(&door, BEN).await, Listener::of(&door, BEN).await);
    let ask = Ask::new("POST", &format!("/api/conversations/{CONVERSATION}/typing")).of(ANA).json(&json!({}));
    assert_eq!(door.send(ask).await.status, 204);
    for browser in [&mut ben, &mut second] {
        browser.hears("typing", json!({ "conversationId": CONVERSATION, "userId": ANA })).await;
    }
    ring(&door, ANA).await;
    ana.hears("notification", json!({})).await;
}

#[tokio::test]
async fn it_ends_with_the_session_at_once() {
    let door = open().await;
    let (ana, second, mut ben) =
        (Listener::of(&door, ANA).await, Listener::of(&door, ANA).await, Listener::of(&door, BEN).await);
    assert_eq!(door.send(Ask::new("POST", "/api/auth/logout").of(ANA)).await.status, 204);
    ana.ends().await;
    second.ends().await;
    ring(&door, BEN).await;
    ben.hears("notification", json!({})).await;
    door.send(Ask::new("GET", "/api/live").of(ANA)).await.refused(401);

    let ended = SessionEnded { member_id: BEN.to_string(), session_id: id(0x5b).to_string() };
    door.world.tell("auth", &ended).await;
    ben.ends().await;
}

#[tokio::test]
async fn what_waits_for_an_ended_session_is_not_told_any_more() {
    let door = open().await;
    let (ana, mut ben) = (Listener::of(&door, ANA).await, Listener::of(&door, BEN).await);
    door.world.tell("messaging", &said()).await;
    ben.next().await.unwrap();
    assert_eq!(door.send(Ask::new("POST", "/api/auth/logout").of(ANA)).await.status, 204);
    ana.ends().await;
}

#[tokio::test(start_paused = true)]
async fn a_session_that_expires_is_noticed_within_a_minute_and_an_absent_auth_ends_nothing() {
    let door = open().await;
    let mut listener = Listener::of(&door, ANA).await;
    let begun = Instant::now();
    door.world.fail("resolve_session", World::away());
    while begun.elapsed() < Duration::from_secs(300) {
        assert_eq!(listener.block().await.unwrap(), ": ", "a sign of life, while nobody can say");
        door.clock.advance(TimeDelta::seconds(15));
    }
    assert!(door.world.count("resolve_session") >= 4);
    door.world.heal();
    door.world.sessions.lock().unwrap().clear();
    // The breaker in front of auth opens again in its own time.
    let expired = Instant::now();
    while let Some(block) = listener.block().await {
        assert_eq!(block, ": ");
        door.clock.advance(TimeDelta::seconds(15));
    }
    assert!(expired.elapsed() <= Duration::from_secs(61), "{:?}", expired.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_gives_a_sign_of_life_every_fifteen_seconds_and_outlives_every_deadline() {
    let door = open().await;
    let mut listener = Listener::of(&door, ANA).await;
    let begun = Instant::now();
    for n in 1..=100 {
        assert_eq!(listener.block().await.unwrap(), ": ");
        assert_eq!(begun.elapsed().as_secs(), 15 * n);
        door.clock.advance(TimeDelta::seconds(15));
    }
    ring(&door, ANA).await;
    listener.hears("notification", json!({})).await;
    assert!(door.world.count("resolve_session") >= 24, "it is asked every minute whether the session stands");
}

#[tokio::test]
async fn when_facts_may_have_been_missed_everybody_looks_again() {
    let door = open().await;
    let (mut ana, mut ben) = (Listener::of(&door, ANA).await, Listener::of(&door, BEN).await);
    ring(&door, ANA).await;
    ana.hears("notification", json!({})).await;
    door.world.lose_facts("messaging").await;
    for browser in [&mut ana, &mut ben] {
        browser.hears("hello", json!({})).await;
    }
    ring(&door, BEN).await;
    ben.hears("notification", json!({})).await;
}

#[tokio::test]
async fn the_ninth_browser_takes_the_place_of_the_first() {
    let door = open().await;
    let mut browsers = Vec::new();
    for _ in 0..9 {
        browsers.push(Listener::of(&door, ANA).await);
    }
    let mut first = browsers.remove(0);
    first.hears("bye", json!({})).await;
    first.ends().await;
    ring(&door, ANA).await;
    for browser in &mut browsers {
        browser.hears("notification", json!({})).await;
    }
}

#[tokio::test]
async fn open_streams_take_no_place_of_requests() {
    let door = open_with(|source| source.with("in_flight", 1)).await;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        browsers.push(Listener::of(&door, ANA).await);
    }
    assert_eq!(door.get("/api/jobs").await.status, 200);
}

#[tokio::test]
async fn a_gateway_that_drains_says_bye_and_lets_nobody_in() {
    let door = open().await;
    let (mut ana, mut ben) = (Listener::of(&door, ANA).await, Listener::of(&door, BEN).await);
    door.drain();
    for browser in [&mut ana, &mut ben] {
        browser.hears("bye", json!({})).await;
    }
    ana.ends().await;
    let mut late = Listener::of(&door, CARL).await;
    late.hears("bye", json!({})).await;
    late.ends().await;
}
