//! The client of the load: two gateways as behind a balancer, repetitions with the same idempotency key.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::{Method, header};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{Counts, Member};
use crate::wait::TIMEOUT;

/// The timeout of one attempt, longer than the deadlines of the gateway.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause before a repetition.
const PAUSE: Duration = Duration::from_millis(50);
/// The interval at which the balancer asks whether a gateway is ready.
const PROBE_INTERVAL: Duration = Duration::from_millis(50);

/// A request that can be repeated.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub path: String,
    /// The body.
    pub body: Option<Value>,
    /// The idempotency key.
    pub key: Option<String>,
}

impl Request {
    /// A request without a body.
    pub fn new(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: None, key: None }
    }

    /// A POST with a body and, for routes that have one, a key.
    pub fn post(path: impl Into<String>, body: Value, key: Option<&str>) -> Self {
        let key = key.map(|key| key.replace(' ', "-"));
        Self { body: Some(body), key, ..Self::new(Method::POST, path) }
    }
}

/// A response that decides: any but a temporary failure.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; null without one.
    pub body: Value,
    /// The path of the next page.
    pub next: Option<String>,
    /// The cookies that the response sets, as a `Cookie` header.
    pub cookie: String,
    /// An earlier attempt of the same request has an unknown result.
    pub after_unknown: bool,
}

/// The result of one attempt.
enum Attempt {
    Answered(Answer),
    /// No byte was sent.
    NotSent,
    /// It may have been executed, or may still be.
    Unknown(String),
}

/// The client. Clones share everything.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    gateways: Arc<Vec<Gateway>>,
    /// The attempts by their results.
    pub counts: Arc<Counts>,
}

#[derive(Debug)]
struct Gateway {
    base: String,
    probe: String,
    is_ready: AtomicBool,
}

impl Client {
    /// A client of gateways, each with its probe.
    ///
    /// # Errors
    /// When the operating system has no connection left.
    pub fn new(bases: &[String], probes: &[String]) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder().timeout(ATTEMPT_TIMEOUT).build()?;
        let gateways = bases.iter().zip(probes).map(|(base, probe)| Gateway {
            base: base.clone(),
            probe: probe.clone(),
            is_ready: AtomicBool::new(true),
        });
        Ok(Self { http, gateways: Arc::new(gateways.collect()), counts: Arc::default() })
    }

    /// Skips gateways that are not ready, as a balancer does, until the handle is aborted.
    pub fn observe_readiness(&self) -> JoinHandle<()> {
        let client = self.clone();
        tokio::spawn(async move {
            loop {
                for gateway in client.gateways.iter() {
                    let probed = client.http.get(&gateway.probe).send().await;
                    let is_ready = probed.is_ok_and(|response| response.status().is_success());
                    gateway.is_ready.store(is_ready, Ordering::SeqCst);
                }
                tokio::time::sleep(PROBE_INTERVAL).await;
            }
        })
    }

    /// Sends a read once, at one of the gateways. `None` after a temporary failure.
    pub async fn read(&self, member: &Member, gateway: usize, path: &str) -> Option<Answer> {
        let request = Request::new(Method::GET, path);
        self.counts.attempt(false, false);
        match self.attempt(member, gateway, &request).await {
            Attempt::Answered(answer) => return Some(answer),
            Attempt::NotSent => self.counts.failure(false, "refused connection"),
            Attempt::Unknown(reason) => self.counts.failure(false, &reason),
        }
        None
    }

    /// Reads until there is an answer.
    ///
    /// # Errors
    /// After [`TIMEOUT`].
    pub async fn read_surely(&self, member: &Member, path: &str) -> anyhow::Result<Answer> {
        self.send(member, 0, &Request::new(Method::GET, path)).await
    }

    /// Sends a write until there is an answer, at one gateway and then the other.
    ///
    /// # Errors
    /// After [`TIMEOUT`] without one.
    pub async fn send(&self, member: &Member, gateway: usize, request: &Request) -> anyhow::Result<Answer> {
        let (begun, is_write) = (Instant::now(), request.method != Method::GET);
        let (mut gateway, mut after_unknown, mut is_repetition) = (gateway, false, false);
        loop {
            self.counts.attempt(is_write, is_repetition);
            match self.attempt(member, gateway, request).await {
                Attempt::Answered(answer) => return Ok(Answer { after_unknown, ..answer }),
                Attempt::NotSent => self.counts.failure(is_write, "refused connection"),
                Attempt::Unknown(reason) => {
                    after_unknown = true;
                    self.counts.failure(is_write, &reason);
                }
            }
            let Request { method, path, .. } = request;
            anyhow::ensure!(begun.elapsed() < TIMEOUT, "{method} {path} has no answer");
            (gateway, is_repetition) = (gateway + 1, true);
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn attempt(&self, member: &Member, gateway: usize, request: &Request) -> Attempt {
        let n = self.gateways.len().max(1);
        let preferred = self.gateways.iter().cycle().skip(gateway % n).take(n);
        let ready = preferred.clone().find(|gateway| gateway.is_ready.load(Ordering::SeqCst));
        let Some(gateway) = ready.or_else(|| self.gateways.first()) else { return Attempt::NotSent };
        let mut builder = self
            .http
            .request(request.method.clone(), format!("{}{}", gateway.base, request.path))
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, &member.cookie);
        if let Some(key) = &request.key {
            builder = builder.header("idempotency-key", key);
        }
        if let Some(body) = &request.body {
            builder = builder.json(body);
        }
        let response = match builder.send().await {
            Ok(response) => response,
            Err(error) if error.is_connect() => return Attempt::NotSent,
            Err(error) if error.is_timeout() => return Attempt::Unknown("timeout".to_owned()),
            Err(_) => return Attempt::Unknown("interrupted connection".to_owned()),
        };
        let status = response.status();
        let text = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let next = text(header::LINK).and_then(|link| next(&link));
        let sets = response.headers().get_all(header::SET_COOKIE).iter();
        let cookies: Vec<String> =
            sets.filter_map(|set| Some(set.to_str().ok()?.split(';').next()?.to_owned())).collect();
        // A truncated response is no acknowledgement.
        let Ok(body) = response.bytes().await else { return Attempt::Unknown("interrupted response".to_owned()) };
        let body =
            if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap_or(json!("no JSON")) };
        if status.is_server_error() {
            let code = body.get("code").and_then(Value::as_str).unwrap_or_default();
            return Attempt::Unknown(format!("{} {code}", status.as_u16()));
        }
        let (status, cookie) = (status.as_u16(), cookies.join("; "));
        Attempt::Answered(Answer { status, body, next, cookie, after_unknown: false })
    }
}

/// The target of RFC 8288's `<..>; rel="next"`.
fn next(link: &str) -> Option<String> {
    let entry = link.split(',').find(|entry| entry.contains("rel=\"next\""))?;
    let (_, rest) = entry.split_once('<')?;
    Some(rest.split_once('>')?.0.to_owned())
}
