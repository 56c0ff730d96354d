//! From sent to seen: one member writes, another's open stream says so.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::client::{Ask, Member};

/// Longer than any message may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Messages before anything is measured.
const WARM_UP: u32 = 50;

/// How long messages took from the request's first byte to the event of the other's stream.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// How many.
    pub messages: u32,
    /// Half of them were seen within this.
    pub p50_ms: f64,
    /// All but one in a hundred were.
    pub p99_ms: f64,
    /// The slowest.
    pub most_ms: f64,
}

/// An open stream of events.
struct Stream {
    answer: reqwest::Response,
    unread: Vec<u8>,
}

impl Stream {
    async fn open(reader: &Member) -> anyhow::Result<Self> {
        let mut stream = Self { answer: reader.open("/api/live").await?, unread: Vec::new() };
        stream.until(|event, _| event == "hello").await.context("no hello")?;
        Ok(stream)
    }

    /// Reads events until one matches.
    async fn until(&mut self, is_it: impl Fn(&str, &Value) -> bool) -> anyhow::Result<()> {
        loop {
            while let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = self.unread.drain(..end + 2).collect();
                let text = String::from_utf8_lossy(&event);
                let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let data = field("data:").and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
                if is_it(field("event:").unwrap_or_default(), &data) {
                    return Ok(());
                }
            }
            let more = timeout(PATIENCE, self.answer.chunk()).await.context("nothing was seen")??;
            self.unread.extend_from_slice(&more.context("the stream ended")?);
        }
    }
}

/// Has one write to the other, who looks: one message after the other, each waited for.
///
/// # Errors
/// When they cannot talk, or a message is not seen.
pub async fn measure(sender: &Member, reader: &Member, messages: u32) -> anyhow::Result<Live> {
    let conversation = conversation(sender, reader).await?;
    let mut stream = Stream::open(reader).await?;
    let path = format!("/api/conversations/{conversation}/messages");
    let mut took = Vec::new();
    for number in 0..WARM_UP + messages {
        let body = json!({"content": format!("Number {number}")});
        let began = Instant::now();
        let write = Ask { method: Method::POST, path: path.clone(), body: Some(body) };
        let (written, seen) = tokio::join!(
            async { anyhow::Ok(sender.ask(&write).await?.json()?) },
            stream.until(
                |event, data| event == "message" && data.get("userId").and_then(Value::as_str) == Some(&sender.id)
            ),
        );
        seen?;
        let passed = began.elapsed();
        written?;
        if number >= WARM_UP {
            took.push(passed);
        }
    }
    took.sort_unstable();
    let at = |percent: usize| {
        let place = (took.len() * percent / 100).min(took.len().saturating_sub(1));
        took.get(place).copied().unwrap_or_default().as_secs_f64() * 1_000.0
    };
    Ok(Live { messages, p50_ms: at(50), p99_ms: at(99), most_ms: at(100) })
}

/// The conversation of the two; one that is new is taken by the reader, or five messages would be all.
async fn conversation(sender: &Member, reader: &Member) -> anyhow::Result<String> {
    let open =
        Ask { method: Method::POST, path: "/api/conversations".to_owned(), body: Some(json!({"userId": reader.id})) };
    let opened = sender.ask(&open).await?.json()?;
    let id = opened.get("id").and_then(Value::as_str).context("a conversation has an id")?.to_owned();
    if opened.get("waiting").and_then(Value::as_bool) == Some(true) {
        let path = format!("/api/conversations/{id}");
        let first =
            Ask { method: Method::POST, path: format!("{path}/messages"), body: Some(json!({"content": "Hello"})) };
        sender.ask(&first).await?.json()?;
        let accept = Ask { method: Method::POST, path: format!("{path}/accept"), body: Some(json!({})) };
        reader.ask(&accept).await?.json()?;
    }
    Ok(id)
}
