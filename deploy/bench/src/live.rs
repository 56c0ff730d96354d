//! The delay of live events: one member sends a message, another receives it on an open stream.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use reqwest::Method;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    task::{JoinHandle, JoinSet},
    time::{interval, timeout},
};

use crate::client::{Member, Request};

/// The timeout of a message.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Messages before the measurement.
const WARM_UP: u32 = 50;

/// The delay from the first byte of the request to the event on the other member's stream.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Live {
    /// The number of messages.
    pub messages: u32,
    /// The median.
    pub p50_ms: f64,
    /// The 99th percentile.
    pub p99_ms: f64,
    /// The maximum.
    pub most_ms: f64,
}

impl Live {
    fn of(mut took: Vec<Duration>) -> Self {
        took.sort_unstable();
        let at = |percent: usize| {
            let index = (took.len() * percent / 100).min(took.len().saturating_sub(1));
            took.get(index).copied().unwrap_or_default().as_secs_f64() * 1_000.0
        };
        let messages = u32::try_from(took.len()).unwrap_or(u32::MAX);
        Self { messages, p50_ms: at(50), p99_ms: at(99), most_ms: at(100) }
    }
}

/// An open stream of events.
struct Stream {
    answer: reqwest::Response,
    unread: Vec<u8>,
}

impl Stream {
    async fn open(reader: &Member) -> anyhow::Result<Self> {
        let mut stream = Self { answer: reader.open_stream("/api/live").await?, unread: Vec::new() };
        stream.wait_for(|event, _| event == "hello").await.context("no hello")?;
        Ok(stream)
    }

    /// Reads events until one matches, and returns its data.
    async fn wait_for(&mut self, is_it: impl Fn(&str, &Value) -> bool) -> anyhow::Result<Value> {
        loop {
            while let Some(end) = self.unread.windows(2).position(|pair| pair == b"\n\n") {
                let event: Vec<u8> = self.unread.drain(..end + 2).collect();
                let text = String::from_utf8_lossy(&event);
                let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let data = field("data:").and_then(|data| serde_json::from_str(data).ok()).unwrap_or_default();
                if is_it(field("event:").unwrap_or_default(), &data) {
                    return Ok(data);
                }
            }
            let more = timeout(TIMEOUT, self.answer.chunk()).await.context("nothing was seen")??;
            self.unread.extend_from_slice(&more.context("the stream ended")?);
        }
    }
}

/// Sends messages from one member to the other, each after the arrival of the previous one.
///
/// # Errors
/// When there can be no conversation, or a message does not arrive.
pub async fn measure(sender: &Member, reader: &Member, messages: u32) -> anyhow::Result<Live> {
    let conversation = conversation(sender, reader).await?;
    let mut stream = Stream::open(reader).await?;
    let path = format!("/api/conversations/{conversation}/messages");
    let mut took = Vec::new();
    for number in 0..WARM_UP + messages {
        let body = json!({"content": format!("Number {number}")});
        let began = Instant::now();
        let write = Request { method: Method::POST, path: path.clone(), body: Some(body) };
        let (written, seen) = tokio::join!(
            async { anyhow::Ok(sender.send(&write).await?.json()?) },
            stream.wait_for(
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
    Ok(Live::of(took))
}

/// The delays of messages at a rate.
#[derive(Clone, Debug)]
pub struct AtRate {
    /// Of the accepted ones.
    pub delays: Live,
    /// The number of refused ones: Portia sheds load that it cannot serve.
    pub refused: usize,
}

/// Sends messages at this rate in total, each pair in its own conversation. A delay begins when the message was due: a slow answer
/// delays no later message, and is not hidden by it.
///
/// # Errors
/// When there can be no conversation, or an accepted message does not arrive.
pub async fn measure_at_rate(pairs: &[(Member, Member)], rate: u32, messages: u32) -> anyhow::Result<AtRate> {
    let count = u32::try_from(pairs.len())?;
    anyhow::ensure!(count > 0 && rate > 0, "nothing is sent");
    let period = Duration::from_secs(1) * count / rate;
    let mut running = JoinSet::new();
    for (sender, reader) in pairs {
        let path = format!("/api/conversations/{}/messages", conversation(sender, reader).await?);
        let stream = Stream::open(reader).await?;
        running.spawn(one_pair(sender.clone(), stream, path, period, messages.div_ceil(count)));
    }
    let (mut took, mut refused) = (Vec::new(), 0);
    while let Some(of_pair) = running.join_next().await {
        let (delays, refused_ones) = of_pair??;
        took.extend(delays);
        refused += refused_ones;
    }
    Ok(AtRate { delays: Live::of(took), refused })
}

/// Sends a message in each period, and returns the delays, and the number of refused messages.
async fn one_pair(
    sender: Member,
    mut stream: Stream,
    path: String,
    period: Duration,
    messages: u32,
) -> anyhow::Result<(Vec<Duration>, usize)> {
    let id = sender.id.clone();
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let reading: JoinHandle<anyhow::Result<()>> = tokio::spawn(async move {
        loop {
            let is_it = |event: &str, data: &Value| event == "message" && text(data, "userId") == Some(&id);
            let data = stream.wait_for(is_it).await?;
            let message = text(&data, "messageId").context("an event names its message")?;
            arrived.send((message.to_owned(), Instant::now()))?;
        }
    });
    let mut ticks = interval(period);
    let mut sending = JoinSet::new();
    for number in 0..messages {
        // Without a pause after a late one: the rate stays.
        let due = ticks.tick().await.into_std();
        let body = json!({"content": format!("Number {number}")});
        let write = Request { method: Method::POST, path: path.clone(), body: Some(body) };
        let sender = sender.clone();
        sending.spawn(async move { (sender.send(&write).await.and_then(|answer| answer.json()), due) });
    }
    let (mut due_times, mut refused) = (HashMap::new(), 0);
    while let Some(sent) = sending.join_next().await {
        match sent? {
            (Ok(message), due) => {
                due_times.insert(text(&message, "id").context("a message has an id")?.to_owned(), due);
            }
            (Err(_), _) => refused += 1,
        }
    }
    let mut delays = Vec::new();
    while !due_times.is_empty() {
        let (message, at) = arrivals.recv().await.context("an accepted message was not seen")?;
        delays.extend(due_times.remove(&message).map(|due| at.saturating_duration_since(due)));
    }
    reading.abort();
    Ok((delays, refused))
}

fn text<'a>(value: &'a Value, field: &str) -> Option<&'a str> {
    value.get(field).and_then(Value::as_str)
}

/// The conversation of the two. The reader accepts a new one: a request is limited to five messages.
async fn conversation(sender: &Member, reader: &Member) -> anyhow::Result<String> {
    let open = Request {
        method: Method::POST,
        path: "/api/conversations".to_owned(),
        body: Some(json!({"userId": reader.id})),
    };
    let opened = sender.send(&open).await?.json()?;
    let id = opened.get("id").and_then(Value::as_str).context("a conversation has an id")?.to_owned();
    if opened.get("waiting").and_then(Value::as_bool) == Some(true) {
        let path = format!("/api/conversations/{id}");
        let first =
            Request { method: Method::POST, path: format!("{path}/messages"), body: Some(json!({"content": "Hello"})) };
        sender.send(&first).await?.json()?;
        let accept = Request { method: Method::POST, path: format!("{path}/accept"), body: Some(json!({})) };
        reader.send(&accept).await?.json()?;
    }
    Ok(id)
}
