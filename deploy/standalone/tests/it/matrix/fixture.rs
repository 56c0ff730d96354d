//! The stack of the matrix: the callers, the entities of the owner, and the requests of the rows.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use portia::stack::Stack;
use reqwest::{Method, header};
use serde_json::Value;

use super::table::Row;
use crate::{
    admin::{admin, utf8},
    browser::{Browser, Live},
    local::{config, folder, start_with},
};

/// The maximum delay of a fact between two services.
pub const MAX_DELAY: Duration = Duration::from_secs(30);
/// A picture of one pixel.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
pub const PDF: &[u8] = b"%PDF-1.7\n%%EOF";

/// The callers and the entities by name.
pub struct Fixture {
    pub stack: Stack,
    pub browsers: HashMap<&'static str, Browser>,
    pub ids: HashMap<&'static str, String>,
    /// The live stream of the owner, whose interests a row sets.
    pub stream: Option<reqwest::Response>,
    /// The number of new communities, whose names differ.
    pub founded: usize,
    data: tempfile::TempDir,
}

/// The response to a row.
pub struct Response {
    pub status: u16,
    /// The body, and the header for search engines.
    pub text: String,
}

impl Fixture {
    pub async fn open() -> Self {
        let data = folder();
        let web = data.path().join("web");
        std::fs::create_dir(&web).unwrap();
        std::fs::write(web.join("index.html"), "<head></head><body></body>").unwrap();
        let config = config().with("security_contact", "mailto:security@portia.example").with("web_dir", web);
        let stack = start_with(&data, true, config).await;
        let mut fixture = Self { stack, browsers: HashMap::new(), ids: HashMap::new(), stream: None, founded: 0, data };
        let visitor = Browser::new(fixture.base());
        fixture.browsers.insert("visitor", visitor);
        fixture.set_up().await;
        fixture
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.stack.address)
    }

    /// Sends as a member; any status.
    pub async fn call(&mut self, who: &'static str, method: Method, path: &str, body: Value) -> (u16, Value) {
        let (path, body) = (self.named(path), self.named(&body.to_string()));
        let body: Value = serde_json::from_str(&body).unwrap();
        let browser = self.browsers.get_mut(who).unwrap();
        let response = browser.send(method, &path, (!body.is_null()).then_some(body), &[]).await;
        (response.status.as_u16(), response.body)
    }

    /// Sends as a member until the services know of each other's facts, and returns the body.
    pub async fn done(&mut self, who: &'static str, method: Method, path: &str, body: Value) -> Value {
        let begun = Instant::now();
        loop {
            let (status, answer) = self.call(who, method.clone(), path, body.clone()).await;
            if status < 300 {
                return answer;
            }
            assert!(begun.elapsed() < MAX_DELAY, "{path} by {who}: {status} {answer}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn put(&mut self, who: &'static str, path: &str) {
        self.done(who, Method::PUT, path, Value::Null).await;
    }

    /// Creates, and returns the id.
    pub async fn create(&mut self, who: &'static str, path: &str, body: Value) -> String {
        self.done(who, Method::POST, path, body).await["id"].as_str().unwrap().to_owned()
    }

    /// Creates an entity with a name.
    pub async fn name(&mut self, name: &'static str, who: &'static str, path: &str, body: Value) {
        let id = self.create(who, path, body).await;
        self.ids.insert(name, id);
    }

    /// Reads until the status is the expected one.
    pub async fn wait(&mut self, who: &'static str, path: &str, status: u16) -> Value {
        let begun = Instant::now();
        loop {
            let (now, answer) = self.call(who, Method::GET, path, Value::Null).await;
            if now == status {
                return answer;
            }
            assert!(begun.elapsed() < MAX_DELAY, "{path} by {who}: {now} {answer}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads until the status is the expected one, or for the maximum delay: a row reports what is wrong.
    pub async fn settle(&mut self, who: &'static str, path: &str, status: u16) {
        let begun = Instant::now();
        while self.call(who, Method::GET, path, Value::Null).await.0 != status && begun.elapsed() < MAX_DELAY {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Reads a list until it has an entry of this kind.
    pub async fn entry(&mut self, who: &'static str, path: &str, is_entry: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let list = self.wait(who, path, 200).await;
            if let Some(entry) = list.as_array().unwrap().iter().find(|entry| is_entry(entry)) {
                return entry.clone();
            }
            assert!(begun.elapsed() < MAX_DELAY, "{path} by {who}: {list}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Runs an operator command.
    pub fn operate(&self, arguments: &[&str]) {
        let output = admin(&self.data.path().join("data"), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", utf8(&output.stderr));
    }

    /// Replaces `{name}` by the entity.
    pub fn named(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id))
    }

    /// The row as a caller. `is_admitted`: entities with `*` are new ones.
    pub async fn send(&mut self, row: &Row, caller: &'static str, is_admitted: bool) -> Response {
        let signed_in = (caller != "visitor").then_some(caller);
        let me = if caller == "visitor" { "bystander" } else { caller };
        let path = self.resolve(&row.path, me, is_admitted).await;
        let body = self.named(&row.body).replace("{me}", me).replace("{my_id}", &self.ids[me]);
        let method = row.method.to_uppercase().parse().unwrap();
        if row.path == "/api/live" {
            let status = Live::open(&self.browsers[caller]).await.map_or_else(|status| status.as_u16(), |_| 200);
            return Response { status, text: String::new() };
        }
        self.request(signed_in, method, &path, &body).await
    }

    /// The path of a row with its entities. `is_admitted`: entities with `*` are new ones.
    pub async fn resolve(&mut self, pattern: &str, me: &'static str, is_admitted: bool) -> String {
        let mut path = String::new();
        for part in pattern.split_inclusive(['/', '?']) {
            let Some((parameter, name)) = part.split_once('=').filter(|_| part.starts_with('{')) else {
                path.push_str(part);
                continue;
            };
            let (name, rest) = name.split_once('}').unwrap();
            let id = match name.strip_suffix('*') {
                Some(name) if is_admitted => self.fresh(name).await,
                Some(name) => self.ids[super::fresh::existing(name)].clone(),
                None if ["{kind", "{topic", "{number"].contains(&parameter) => name.to_owned(),
                None if name == "me" => self.ids[me].clone(),
                None => self.ids[name].clone(),
            };
            path.extend([id.as_str(), rest]);
        }
        self.named(&path).replace("{my_id}", &self.ids[me])
    }

    /// One request. A caller keeps the cookies of the answers, except the old cookie of the suspended account.
    pub async fn request(&mut self, who: Option<&'static str>, method: Method, path: &str, body: &str) -> Response {
        let media = match body {
            "<png>" => "image/png",
            "<pdf>" => "application/pdf",
            "<report>" => "application/csp-report",
            "<redirect>" => "text/plain",
            json => {
                let body = (!json.is_empty()).then(|| serde_json::from_str(json).unwrap());
                let mut unchanged = self.browsers["visitor"].with_cookie_of(&self.browsers[who.unwrap_or("visitor")]);
                let browser = match who {
                    None | Some("suspended") => &mut unchanged,
                    Some(who) => self.browsers.get_mut(who).unwrap(),
                };
                let response = browser.send(method, path, body, &[]).await;
                let mut text = response.body.as_str().map_or_else(|| response.body.to_string(), str::to_owned);
                if let Some(robots) = response.headers.get("x-robots-tag") {
                    text.push_str(&format!("\nx-robots-tag: {}", robots.to_str().unwrap()));
                }
                return Response { status: response.status.as_u16(), text };
            }
        };
        let bytes = match body {
            "<png>" => base64(PNG),
            "<pdf>" => PDF.to_vec(),
            "<report>" => br#"{"csp-report": {}}"#.to_vec(),
            _ => Vec::new(),
        };
        let mut request = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap()
            .request(method, format!("{}{path}", self.base()))
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, media)
            .header("x-file-name", "cv.pdf")
            .body(bytes);
        if let Some(who) = who {
            request = request.header(header::COOKIE, self.browsers[who].cookie());
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        Response { status, text: String::from_utf8_lossy(&response.bytes().await.unwrap()).into_owned() }
    }
}

pub fn base64(text: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}
