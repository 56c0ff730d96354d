//! Job boards on a port of this machine: what they answer is the test's to say, and every question is counted.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use futures::stream;
use tokio::{net::TcpListener, sync::watch};

/// What is answered at a path.
#[derive(Clone)]
pub struct Page {
    pub status: u16,
    pub body: String,
    pub etag: Option<&'static str>,
    pub retry_after: Option<u32>,
    /// The connection ends before the answer does.
    pub cut: bool,
}

impl Page {
    pub fn of(body: impl Into<String>) -> Self {
        Self { status: 200, body: body.into(), etag: None, retry_after: None, cut: false }
    }

    pub fn failing(status: u16) -> Self {
        Self { status, ..Self::of("") }
    }
}

#[derive(Default)]
struct Known {
    pages: HashMap<String, Page>,
    /// The path and query of every question.
    asked: Vec<String>,
    headers: Vec<HeaderMap>,
}

/// Boards that stand as long as the value does.
#[derive(Clone)]
pub struct Site {
    pub address: SocketAddr,
    known: Arc<Mutex<Known>>,
    open: watch::Sender<bool>,
}

impl Site {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let site = Self { address, known: Arc::default(), open: watch::Sender::new(true) };
        let router = Router::new().fallback(answer).with_state(site.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn put(&self, path: &str, page: Page) {
        self.known.lock().unwrap().pages.insert(path.to_owned(), page);
    }

    /// The path and query of every question so far.
    pub fn asked(&self) -> Vec<String> {
        self.known.lock().unwrap().asked.clone()
    }

    pub fn headers(&self) -> Vec<HeaderMap> {
        self.known.lock().unwrap().headers.clone()
    }

    /// From now on every question waits for [`Self::let_go`].
    pub fn hold(&self) {
        self.open.send_replace(false);
    }

    pub fn let_go(&self) {
        self.open.send_replace(true);
    }

    /// Waits until so many questions have been asked.
    pub async fn was_asked(&self, times: usize) {
        let asked = async {
            while self.asked().len() < times {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(30), asked).await.expect("it is asked");
    }
}

async fn answer(State(site): State<Site>, request: Request) -> Response {
    let (path, asked) = (request.uri().path().to_owned(), request.uri().to_string());
    let page = {
        let mut known = site.known.lock().unwrap();
        known.asked.push(asked.clone());
        known.headers.push(request.headers().clone());
        known.pages.get(&asked).or_else(|| known.pages.get(&path)).cloned()
    };
    site.open.subscribe().wait_for(|open| *open).await.unwrap();
    let page = page.unwrap_or_else(|| Page::failing(404));
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|etag| etag.to_str().ok());
    let mut answer = Response::builder();
    if let Some(etag) = page.etag {
        answer = answer.header(header::ETAG, etag);
        if known == Some(etag) {
            return answer.status(StatusCode::NOT_MODIFIED).body(Body::empty()).unwrap();
        }
    }
    if let Some(seconds) = page.retry_after {
        answer = answer.header(header::RETRY_AFTER, seconds);
    }
    if !page.cut {
        return answer.status(page.status).body(Body::from(page.body)).unwrap();
    }
    answer = answer.header(header::CONTENT_LENGTH, page.body.len() + 1_000);
    let broken = [Ok(page.body), Err(io::Error::other("cut"))];
    answer.status(page.status).body(Body::from_stream(stream::iter(broken))).unwrap()
}
