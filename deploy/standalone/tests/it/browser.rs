//! A browser from the API's point of view: it keeps cookies and sends the origin of its requests.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

/// As long as a stream may be silent about what happened, and may say nothing at all: two heartbeats.
const SOON: Duration = Duration::from_secs(30);
/// How long a busy machine may keep a read from being answered whole.
const PATIENCE: Duration = Duration::from_secs(20);

/// One visitor or member.
pub struct Browser {
    client: reqwest::Client,
    base: String,
    cookies: BTreeMap<String, String>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
    pub headers: header::HeaderMap,
}

impl Answer {
    /// Whether Portia says that it cannot answer, or not whole, just now.
    fn asks_to_come_again(&self) -> bool {
        matches!(self.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT)
            || self.headers.contains_key("x-degraded")
    }

    /// The body of an answer with this status; anything else fails the test with what came instead.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }
}

impl Browser {
    pub fn new(base: impl Into<String>) -> Self {
        let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap();
        Self { client, base: base.into(), cookies: BTreeMap::new() }
    }

    /// The same address with another browser's cookies.
    pub fn with_cookie_of(&self, other: &Self) -> Self {
        Self { client: self.client.clone(), base: self.base.clone(), cookies: other.cookies.clone() }
    }

    /// The same member at another gateway.
    pub fn at(&self, base: impl Into<String>) -> Self {
        Self { client: self.client.clone(), base: base.into(), cookies: self.cookies.clone() }
    }

    /// The same address with a given cookie.
    pub fn with_cookie(mut self, cookie: &str) -> Self {
        let (name, value) = cookie.split_once('=').unwrap();
        self.cookies.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Reads, and repeats the request when the answer asks for it.
    pub async fn get(&mut self, path: &str) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.glance(path).await;
            if !answer.asks_to_come_again() || begun.elapsed() > PATIENCE {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Reads once, where what cannot be answered is the point.
    pub async fn glance(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    /// Writes once, and repeats the request with the same idempotency key when the answer asks for it.
    pub async fn post_once(&mut self, path: &str, body: Value, key: &str) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.send(Method::POST, path, Some(body.clone()), &[("idempotency-key", key)]).await;
            if !answer.asks_to_come_again() || begun.elapsed() > PATIENCE {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Option<Value>, headers: &[(&str, &str)]) -> Answer {
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
            // No listener: reported as a gateway would, so that waiting for a start is one loop.
            Err(error) => {
                return Answer {
                    status: StatusCode::BAD_GATEWAY,
                    body: json!(error.to_string()),
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
        Answer { status, body, headers }
    }

    /// Opens the live stream, which has said hello.
    pub async fn live(&self) -> Live {
        Live::open(self).await.expect("no stream")
    }

    /// Its cookies, as a `Cookie` header says them.
    pub fn cookie(&self) -> String {
        let pairs: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Registers, and is signed in from then on. Returns the member's id.
    pub async fn register(&mut self, username: &str) -> String {
        let form = json!({"username": username, "password": "correct horse", "fullName": format!("Member {username}")});
        let user = self.post("/api/auth/register", form).await.expect(201);
        user["id"].as_str().unwrap().to_owned()
    }
}

/// A live stream, as a browser's EventSource reads it.
pub struct Live {
    response: reqwest::Response,
    text: String,
}

impl Live {
    /// A member's; or why there is none.
    pub async fn open(browser: &Browser) -> Result<Self, StatusCode> {
        // It lasts longer than any request.
        let client = reqwest::Client::builder().connect_timeout(SOON).read_timeout(SOON).build().unwrap();
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

    /// The next event's name and data; `None` when the stream ends, or breaks.
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
    pub async fn until(&mut self, event: &str, data: &Value) {
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
        if tokio::time::timeout(SOON, waiting).await.is_err() {
            panic!("no {event} {data}");
        }
    }

    /// Waits for one of these events, ignoring others, and returns its name.
    pub async fn next_of(&mut self, events: &[&str]) -> String {
        loop {
            let next = tokio::time::timeout(SOON, self.next()).await.expect("no event came");
            let (event, _) = next.expect("the stream ended");
            if events.contains(&event.as_str()) {
                return event;
            }
        }
    }

    /// Waits for the end; what came before it, by name.
    pub async fn rest(mut self) -> Vec<String> {
        let mut received = Vec::new();
        while let Some((event, _)) = tokio::time::timeout(SOON, self.next()).await.expect("it goes on") {
            received.push(event);
        }
        received
    }
}

/// The first actions of a new member: a post, another member's like and comment, and the page that shows them.
/// Returns the post's id.
pub async fn walk(base: &str) -> String {
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
