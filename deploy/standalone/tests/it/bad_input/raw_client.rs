//! A raw HTTP client for malformed requests, and the assertions that hold for every response.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

/// The timeout of a response on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client that sends given bytes and counts the responses.
pub struct RawClient {
    address: SocketAddr,
    /// Sent with every request that does not bring its own.
    pub cookie: Option<String>,
    sent: Arc<AtomicUsize>,
    failed: Arc<AtomicUsize>,
}

/// A parsed response.
#[derive(Debug)]
pub struct Reply {
    /// The first line of the request.
    asked: String,
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl RawClient {
    pub fn to(address: SocketAddr) -> Self {
        Self { address, cookie: None, sent: Arc::default(), failed: Arc::default() }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Another visitor at the same address; their requests are included in the count.
    pub fn clone_of(&self) -> Self {
        Self { cookie: None, sent: Arc::clone(&self.sent), failed: Arc::clone(&self.failed), ..*self }
    }

    /// The headers of a browser on the same site.
    pub fn head(&self, method: &str, target: &str) -> String {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let host = self.address;
        format!(
            "{method} {target} HTTP/1.1\r\nHost: {host}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n{cookie}"
        )
    }

    pub async fn get(&mut self, target: &str) -> Reply {
        let request = format!("{}\r\n", self.head("GET", target));
        self.raw(request.as_bytes()).await
    }

    pub async fn post(&mut self, target: &str, form: &Value) -> Reply {
        self.send_bytes("POST", target, form.to_string().as_bytes()).await
    }

    pub async fn send_bytes(&mut self, method: &str, target: &str, body: &[u8]) -> Reply {
        let head = self.head(method, target);
        let head = format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        self.raw(&[head.as_bytes(), body].concat()).await
    }

    /// Sends these bytes; the response must not be a 5xx.
    pub async fn raw(&mut self, request: &[u8]) -> Reply {
        self.sent.fetch_add(1, Ordering::Relaxed);
        let reply = send(self.address, request).await;
        if reply.status >= 500 {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        assert!(reply.status < 500, "{reply}");
        reply
    }

    /// Prints and asserts the counts.
    pub fn assert_counts(&self) {
        let (sent, failed) = (self.sent.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        println!("bad input: {sent} requests sent, {failed} answers of 5xx");
        assert!(sent > 50, "the corpus is gone");
        assert_eq!(failed, 0);
    }
}

/// Sends these bytes; any response.
pub async fn send(address: SocketAddr, request: &[u8]) -> Reply {
    let asked: String = String::from_utf8_lossy(request).lines().next().unwrap_or_default().chars().take(120).collect();
    let answer = timeout(TIMEOUT, exchange(address, request)).await;
    let answer = answer.unwrap_or_else(|_| panic!("no answer within {TIMEOUT:?}: {asked}"));
    Reply::read(asked, &answer)
}

/// Writes and reads concurrently: a refusal may arrive long before the last byte is sent.
async fn exchange(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let (mut from, mut to) = TcpStream::connect(address).await.unwrap().into_split();
    let request = request.to_vec();
    let writer = tokio::spawn(async move {
        // The server may close the connection early.
        let _ = to.write_all(&request).await;
        to
    });
    let (mut answer, mut piece) = (Vec::new(), [0; 16384]);
    while !is_whole(&answer) {
        match from.read(&mut piece).await {
            Ok(read @ 1..) => answer.extend_from_slice(&piece[..read]),
            Ok(0) | Err(_) => break,
        }
    }
    writer.abort();
    answer
}

fn split(answer: &[u8]) -> Option<(String, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some((String::from_utf8_lossy(&answer[..end]).to_lowercase(), &answer[end + 4..]))
}

fn is_whole(answer: &[u8]) -> bool {
    split(answer).is_some_and(|(head, body)| {
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        length.is_some_and(|length: usize| body.len() >= length)
    })
}

impl Reply {
    fn read(asked: String, answer: &[u8]) -> Self {
        // A connection closed without a response is a refusal too, with status 0.
        let Some((head, body)) = split(answer) else {
            return Self { asked, status: 0, head: String::new(), body: vec![] };
        };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        // The value of a cookie is case-sensitive, names of headers are not.
        let end = answer.len() - body.len();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        Self { asked, status, head, body: body.to_vec() }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub fn is_api(&self) -> bool {
        self.asked.contains(" /api/")
    }

    /// The session cookie of the response, as a `Cookie` header.
    pub fn cookie(&self) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut set = lines.filter(|(key, _)| key.eq_ignore_ascii_case("set-cookie")).map(|(_, value)| value);
        set.find(|value| value.starts_with("portia_session="))?.split(';').next().map(str::to_owned)
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The body of a response with this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        self.sound();
        self.json()
    }

    /// Refused with one of these statuses, with a valid error body.
    #[track_caller]
    pub fn refused(&self, statuses: &[u16], what: &str) {
        assert!(statuses.contains(&self.status), "{what}: {self}");
        self.sound();
    }

    /// A success, or an error with a message for people and without internal details.
    #[track_caller]
    pub fn sound(&self) {
        if let Err(fault) = self.check() {
            panic!("{fault}: {self}");
        }
    }

    /// Checks the response, whatever its status is.
    ///
    /// # Errors
    /// The fault.
    pub fn check(&self) -> Result<(), String> {
        if self.header("x-content-type-options") != Some("nosniff") {
            return Err("no nosniff".to_owned());
        }
        if self.header("cache-control") != Some("no-store") {
            return Err("it may be stored".to_owned());
        }
        if self.status < 400 {
            return Ok(());
        }
        if self.header("content-type") != Some("application/problem+json") {
            return Err("no problem".to_owned());
        }
        let problem: Value = serde_json::from_slice(&self.body).map_err(|error| error.to_string())?;
        let error = problem["error"].as_str().unwrap_or_default();
        if !error.starts_with(char::is_uppercase) || problem["status"] != self.status {
            return Err("no sentence, or another status".to_owned());
        }
        for inside in ["database", "constraint", "sqlx", "serde", "panicked", "expected value", "at line"] {
            if error.contains(inside) {
                return Err(format!("it reveals {inside:?}"));
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body: String = String::from_utf8_lossy(&self.body).chars().take(600).collect();
        write!(f, "{} -> {} {body}", self.asked, self.status)
    }
}
