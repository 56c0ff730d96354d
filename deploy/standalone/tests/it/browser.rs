//! A browser as a client of the API: it stores cookies and sends the origin of its requests.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use primitives::error::ErrorChain;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

/// Two heartbeats: the maximum delay of a live event.
const MAX_DELAY: Duration = Duration::from_secs(30);
/// The timeout of a read on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// One visitor or member.
pub struct Browser {
    client: reqwest::Client,
    base: String,
    cookies: BTreeMap<String, String>,
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub body: Value,
    pub headers: header::HeaderMap,
}

impl Response {
    /// Whether the response is a temporary failure or incomplete.
    fn is_temporary_failure(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
            || self.headers.contains_key("x-degraded")
    }

    /// The body of a response with this status; any other response fails the test and is printed.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }
}

impl Browser {
    pub fn new(base: impl Into<String>) -> Self {
        // It ends a wait that would last for ever; the gateway answers sooner on any machine.
        let client = reqwest::Client::builder().timeout(Duration::from_mins(2)).build().unwrap();
        Self { client, base: base.into(), cookies: BTreeMap::new() }
    }

    /// Returns a browser at the same address with another browser's cookies.
    pub fn with_cookie_of(&self, other: &Self) -> Self {
        Self { client: self.client.clone(), base: self.base.clone(), cookies: other.cookies.clone() }
    }

    /// Returns a browser of the same member at another gateway.
    pub fn at(&self, base: impl Into<String>) -> Self {
        Self { client: self.client.clone(), base: base.into(), cookies: self.cookies.clone() }
    }

    /// Adds a cookie.
    pub fn with_cookie(mut self, cookie: &str) -> Self {
        let (name, value) = cookie.split_once('=').unwrap();
        self.cookies.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Reads, and repeats the request after a temporary failure.
    pub async fn get(&mut self, path: &str) -> Response {
        let begun = Instant::now();
        loop {
            let answer = self.get_once(path).await;
            if !answer.is_temporary_failure() || begun.elapsed() > TIMEOUT {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Reads once, for tests of the failure itself.
    pub async fn get_once(&mut self, path: &str) -> Response {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Response {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    /// Writes with an idempotency key, and repeats the request with the same key after a temporary failure.
    pub async fn post_once(&mut self, path: &str, body: Value, key: &str) -> Response {
        let begun = Instant::now();
        loop {
            let answer = self.send(Method::POST, path, Some(body.clone()), &[("idempotency-key", key)]).await;
            if !answer.is_temporary_failure() || begun.elapsed() > TIMEOUT {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Option<Value>,
        headers: &[(&str, &str)],
    ) -> Response {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.base))
            .header("sec-fetch-site", "same-origin")
            .header(header::USER_AGENT, "portia-tests");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !self.cookies.is_empty() {
            request = request.header(header::COOKIE, self.cookie());
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = match request.send().await {
            Ok(response) => response,
            // A refused connection is reported like a failed gateway, so that waiting for a start is one loop.
            Err(error) => {
                return Response {
                    status: StatusCode::BAD_GATEWAY,
                    body: json!(ErrorChain(&error).to_string()),
                    headers: header::HeaderMap::new(),
                };
            }
        };
        let (status, headers) = (response.status(), response.headers().clone());
        for set in headers.get_all(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap_or_default();
            match pair.split_once('=') {
                Some((name, "")) => drop(self.cookies.remove(name)),
                Some((name, value)) => drop(self.cookies.insert(name.to_owned(), value.to_owned())),
                None => {}
            }
        }
        let text = response.text().await.unwrap_or_default();
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Response { status, body, headers }
    }

    /// Opens the live stream and reads its hello event.
    pub async fn live(&self) -> Live {
        Live::open(self).await.expect("no stream")
    }

    /// Its cookies, as a `Cookie` header.
    pub fn cookie(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Registers and signs in. Returns the member's id.
    pub async fn register(&mut self, username: &str) -> String {
        let form = json!({"username": username, "password": "correct horse", "fullName": format!("Member {username}")});
        let user = self.post("/api/auth/register", form).await.expect(201);
        user["id"].as_str().unwrap().to_owned()
    }
}

/// A live stream, read like an EventSource.
pub struct Live {
    response: reqwest::Response,
    text: String,
}

impl Live {
    /// The stream, or the response that refused it.
    pub async fn open(browser: &Browser) -> Result<Self, StatusCode> {
        // Without a timeout.
        let client = reqwest::Client::builder().connect_timeout(MAX_DELAY).read_timeout(MAX_DELAY).build().unwrap();
        let asked = client.get(format!("{}/api/live", browser.base)).header(header::COOKIE, browser.cookie());
        let response = asked.send().await.map_err(|_| StatusCode::BAD_GATEWAY)?;
        if response.status() != StatusCode::OK {
            return Err(response.status());
        }
        let mut live = Self { response, text: String::new() };
        match live.next().await {
            Some((event, _)) if event == "hello" => Ok(live),
            _ => Err(StatusCode::BAD_GATEWAY),
        }
    }

    /// The next event's name and data; `None` when the stream ends or fails.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
                let fields = field("event: ").zip(field("data: "));
                self.text = rest.to_owned();
                if let Some((event, data)) = fields {
                    return Some((event, serde_json::from_str(&data).unwrap()));
                }
            }
            let piece = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// Waits for an event, ignoring others.
    pub async fn wait_for(&mut self, event: &str, data: &Value) {
        let mut received = Vec::new();
        let waiting = async {
            while let Some(next) = self.next().await {
                if next.0 == event && next.1 == *data {
                    return;
                }
                received.push(next);
            }
            panic!("it ended before {event} {data}; received {received:?}");
        };
        if tokio::time::timeout(MAX_DELAY, waiting).await.is_err() {
            panic!("no {event} {data}");
        }
    }

    /// Waits for one of these events, ignoring others, and returns its name.
    pub async fn next_of(&mut self, events: &[&str]) -> String {
        loop {
            let next = tokio::time::timeout(MAX_DELAY, self.next()).await.expect("no event came");
            let (event, _) = next.expect("the stream ended");
            if events.contains(&event.as_str()) {
                return event;
            }
        }
    }

    /// Waits for the end and returns the names of the events before it.
    pub async fn rest(mut self) -> Vec<String> {
        let mut received = Vec::new();
        while let Some((event, _)) = tokio::time::timeout(MAX_DELAY, self.next()).await.expect("it goes on") {
            received.push(event);
        }
        received
    }
}

/// The first actions of a new member: a post, another member's like and comment, and the page that shows them.
/// Returns the post's id.
pub async fn use_as_new_member(base: &str) -> String {
    let (mut author, mut reader) = (Browser::new(base), Browser::new(base));
    let author_id = author.register("walker.author").await;
    let reader_id = reader.register("walker.reader").await;
    assert_eq!(author.get("/api/auth/me").await.expect(200)["id"], json!(author_id));

    let post = author
        .post("/api/posts", json!({"userId": author_id, "content": "Kumusta, mga ka-aral! First post."}))
        .await
        .expect(201);
    let id = post["id"].as_str().unwrap().to_owned();
    let liked = reader.post(&format!("/api/posts/{id}/likes"), json!({"userId": reader_id, "type": "like"})).await;
    assert!(liked.status.is_success(), "{}", liked.body);
    reader
        .post(&format!("/api/posts/{id}/comments"), json!({"userId": reader_id, "content": "Welcome."}))
        .await
        .expect(201);
    assert_shown(&mut reader, &id, &author_id, &reader_id).await;
    id
}

/// The post is in the feed with its author, like and comment.
async fn assert_shown(browser: &mut Browser, id: &str, author_id: &str, reader_id: &str) {
    let feed = browser.get("/api/posts?sort=recent").await.expect(200);
    let post = feed.as_array().unwrap().iter().find(|post| post["id"] == json!(id)).unwrap().clone();
    assert_eq!(post["user"]["id"], json!(author_id));
    assert_eq!(post["user"]["fullName"], json!("Member walker.author"));
    assert_eq!((&post["likeCount"], &post["commentCount"]), (&json!(1), &json!(1)));
    assert_eq!(post["likes"], json!([{"userId": reader_id, "type": "like"}]));
    assert_eq!(post["comments"][0]["content"], json!("Welcome."));
    assert_eq!(post["comments"][0]["user"]["fullName"], json!("Member walker.reader"));
}
