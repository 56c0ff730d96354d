//! A local server of job boards and feeds, which records requests and can hold back responses.

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

/// The response of a path.
#[derive(Clone)]
pub struct Page {
    pub status: u16,
    pub body: String,
    pub etag: Option<&'static str>,
    pub retry_after: Option<u32>,
    /// The connection ends before the response does.
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
struct ServerState {
    pages: HashMap<String, Page>,
    /// The path and query of every request.
    requests: Vec<String>,
    headers: Vec<HeaderMap>,
}

/// The server. Clones share it.
#[derive(Clone)]
pub struct BoardServer {
    pub address: SocketAddr,
    state: Arc<Mutex<ServerState>>,
    open: watch::Sender<bool>,
}

impl BoardServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = Self { address, state: Arc::default(), open: watch::Sender::new(true) };
        let router = Router::new().fallback(answer).with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn serve(&self, path: &str, page: Page) {
        self.state.lock().unwrap().pages.insert(path.to_owned(), page);
    }

    /// The path and query of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.state.lock().unwrap().requests.clone()
    }

    pub fn headers(&self) -> Vec<HeaderMap> {
        self.state.lock().unwrap().headers.clone()
    }

    /// Holds back all responses until [`Self::release`].
    pub fn hold(&self) {
        self.open.send_replace(false);
    }

    pub fn release(&self) {
        self.open.send_replace(true);
    }

    /// Waits until this number of requests was received.
    pub async fn wait_for_requests(&self, times: usize) {
        let received = async {
            while self.requests().len() < times {
                testkit::pause().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(120), received).await.expect("requests");
    }
}

async fn answer(State(server): State<BoardServer>, request: Request) -> Response {
    let (path, uri) = (request.uri().path().to_owned(), request.uri().to_string());
    let page = {
        let mut state = server.state.lock().unwrap();
        state.requests.push(uri.clone());
        state.headers.push(request.headers().clone());
        state.pages.get(&uri).or_else(|| state.pages.get(&path)).cloned()
    };
    server.open.subscribe().wait_for(|open| *open).await.unwrap();
    let page = page.unwrap_or_else(|| Page::failing(404));
    let validator = request.headers().get(header::IF_NONE_MATCH).and_then(|etag| etag.to_str().ok());
    let mut answer = Response::builder();
    if let Some(etag) = page.etag {
        answer = answer.header(header::ETAG, etag);
        if validator == Some(etag) {
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
