//! A server of feeds on this machine: what each says, how often it was asked, and a gate before its answers.

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

/// A story as a feed tells it.
#[derive(Clone)]
pub struct Story {
    pub guid: String,
    pub url: String,
    pub title: String,
    pub description: String,
    /// As the feed writes it, readable or not.
    pub date: String,
}

/// A story of its own.
pub fn story(n: u32, title: &str, at: DateTime<Utc>) -> Story {
    Story {
        guid: format!("guid-{n}"),
        url: format!("https://stories.example/{n}"),
        title: title.to_owned(),
        description: format!("Text{n} without{n} anything{n} another{n} says."),
        date: at.to_rfc2822(),
    }
}

/// A feed of these stories.
pub fn feed(stories: &[Story]) -> Page {
    let mut body = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed</title>".to_owned();
    for Story { guid, url, title, description, date } in stories {
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

/// A refusal.
pub fn refusal(status: u16) -> Page {
    Page { status: StatusCode::from_u16(status).unwrap(), headers: vec![], body: "no".to_owned() }
}

/// What is answered.
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
pub struct Press {
    pub address: SocketAddr,
    desk: Arc<Desk>,
    server: JoinHandle<()>,
}

struct Desk {
    pages: Mutex<HashMap<String, Page>>,
    /// Every question: for which feed, with which headers.
    asked: Mutex<Vec<(String, HeaderMap)>>,
    /// The questions that are answered, by number; others wait.
    open: watch::Sender<RangeInclusive<usize>>,
}

impl Press {
    /// Whatever is asked for is away at first.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let desk = Arc::new(Desk {
            open: watch::Sender::new(1..=usize::MAX),
            pages: Mutex::default(),
            asked: Mutex::default(),
        });
        let router = Router::new().fallback(answer).with_state(Arc::clone(&desk));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, desk, server }
    }

    /// The setting that has these feeds read here.
    pub fn feeds(&self, ids: &[&str]) -> String {
        ids.iter().map(|id| format!("{id}=http://{}/{id}", self.address)).collect::<Vec<_>>().join(",")
    }

    /// From now on, this is what the feed says.
    pub fn print(&self, id: &str, page: Page) {
        self.desk.pages.lock().unwrap().insert(format!("/{id}"), page);
    }

    /// The headers of every question for a feed.
    pub fn asked(&self, id: &str) -> Vec<HeaderMap> {
        let asked = self.desk.asked.lock().unwrap();
        asked.iter().filter(|(path, _)| *path == format!("/{id}")).map(|(_, headers)| headers.clone()).collect()
    }

    /// Lets `more` questions be answered after those that were asked already, and has others wait.
    pub fn answer_only(&self, more: usize) {
        let asked = self.desk.asked.lock().unwrap().len();
        self.desk.open.send_replace(1..=asked + more);
    }

    /// Answers the question of this number and later ones; earlier ones wait on.
    pub fn answer_from(&self, number: usize) {
        self.desk.open.send_replace(number..=usize::MAX);
    }

    /// Answers whoever waits, and everybody from now on.
    pub fn answer_all(&self) {
        self.desk.open.send_replace(1..=usize::MAX);
    }

    /// Waits until this many questions were asked, answered or not.
    pub async fn is_asked(&self, times: usize) {
        while self.desk.asked.lock().unwrap().len() < times {
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Press {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(State(desk): State<Arc<Desk>>, uri: Uri, headers: HeaderMap) -> Response {
    let number = {
        let mut asked = desk.asked.lock().unwrap();
        asked.push((uri.path().to_owned(), headers.clone()));
        asked.len()
    };
    desk.open.subscribe().wait_for(|open| open.contains(&number)).await.unwrap();
    let page = desk.pages.lock().unwrap().get(uri.path()).cloned();
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
