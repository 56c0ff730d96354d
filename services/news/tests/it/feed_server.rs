//! A local server of feeds, which records requests and can hold back responses.

use std::{
    collections::HashMap,
    fmt::Write as _,
    net::SocketAddr,
    ops::RangeInclusive,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use chrono::{DateTime, Utc};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// An item of a feed.
#[derive(Clone)]
pub struct FeedItem {
    pub guid: String,
    pub url: String,
    pub title: String,
    pub description: String,
    /// The text of the date, valid or not.
    pub date: String,
}

/// Item `n`, similar to no other.
pub fn item(n: u32, title: &str, at: DateTime<Utc>) -> FeedItem {
    FeedItem {
        guid: format!("guid-{n}"),
        url: format!("https://stories.example/{n}"),
        title: title.to_owned(),
        description: format!("Text{n} without{n} anything{n} another{n} says."),
        date: at.to_rfc2822(),
    }
}

/// A feed of these items.
pub fn feed(items: &[FeedItem]) -> Page {
    let mut body = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed</title>".to_owned();
    for FeedItem { guid, url, title, description, date } in items {
        let url = url.replace('&', "&amp;");
        write!(
            body,
            "<item><title>{title}</title><link>{url}</link><guid isPermaLink=\"false\">{guid}</guid>\
             <description><![CDATA[<p>{description}</p>]]></description><pubDate>{date}</pubDate></item>"
        )
        .unwrap();
    }
    body.push_str("</channel></rss>");
    Page { status: StatusCode::OK, headers: vec![], body }
}

/// An error response.
pub fn refusal(status: u16) -> Page {
    Page { status: StatusCode::from_u16(status).unwrap(), headers: vec![], body: "no".to_owned() }
}

/// A response.
#[derive(Clone)]
pub struct Page {
    status: StatusCode,
    headers: Vec<(header::HeaderName, String)>,
    body: String,
}

impl Page {
    pub fn with(mut self, name: header::HeaderName, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub fn saying(self, body: &str) -> Self {
        Self { body: body.to_owned(), ..self }
    }
}

/// The server, for as long as the value lives.
pub struct FeedServer {
    pub address: SocketAddr,
    state: Arc<ServerState>,
    server: JoinHandle<()>,
}

struct ServerState {
    pages: Mutex<HashMap<String, Page>>,
    /// The path and headers of every request.
    requests: Mutex<Vec<(String, HeaderMap)>>,
    /// The requests that are answered, by number; others wait.
    open: watch::Sender<RangeInclusive<usize>>,
}

impl FeedServer {
    /// Every feed answers 503 at first.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(ServerState {
            open: watch::Sender::new(1..=usize::MAX),
            pages: Mutex::default(),
            requests: Mutex::default(),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&state));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, state, server }
    }

    /// The setting with these feeds.
    pub fn feeds(&self, ids: &[&str]) -> String {
        ids.iter().map(|id| format!("{id}=http://{}/{id}", self.address)).collect::<Vec<_>>().join(",")
    }

    /// Sets the response of a feed.
    pub fn serve(&self, id: &str, page: Page) {
        self.state.pages.lock().unwrap().insert(format!("/{id}"), page);
    }

    /// The headers of every request of a feed.
    pub fn requests(&self, id: &str) -> Vec<HeaderMap> {
        let requests = self.state.requests.lock().unwrap();
        requests.iter().filter(|(path, _)| *path == format!("/{id}")).map(|(_, headers)| headers.clone()).collect()
    }

    /// Answers the next `more` requests and holds back later ones.
    pub fn answer_next(&self, more: usize) {
        let requests = self.state.requests.lock().unwrap().len();
        self.state.open.send_replace(1..=requests + more);
    }

    /// Answers the request of this number and later ones; earlier ones still wait.
    pub fn answer_from(&self, number: usize) {
        self.state.open.send_replace(number..=usize::MAX);
    }

    /// Answers all waiting and later requests.
    pub fn answer_all(&self) {
        self.state.open.send_replace(1..=usize::MAX);
    }

    /// Waits until this many requests were received.
    pub async fn wait_for_requests(&self, times: usize) {
        while self.state.requests.lock().unwrap().len() < times {
            testkit::pause().await;
        }
    }
}

impl Drop for FeedServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(state): State<Arc<ServerState>>, uri: Uri, headers: HeaderMap) -> Response {
    let number = {
        let mut requests = state.requests.lock().unwrap();
        requests.push((uri.path().to_owned(), headers.clone()));
        requests.len()
    };
    state.open.subscribe().wait_for(|open| open.contains(&number)).await.unwrap();
    let page = state.pages.lock().unwrap().get(uri.path()).cloned();
    let Some(page) = page else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let etag = page.headers.iter().find(|(name, _)| *name == header::ETAG).map(|(_, value)| value.as_str());
    if etag.is_some() && headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()) == etag {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = (page.status, page.body).into_response();
    for (name, value) in page.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}
