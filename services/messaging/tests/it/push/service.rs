//! A push service on loopback, and the browsers that it knows.

use std::{
    collections::{HashMap, VecDeque},
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::Value;
use tokio::{net::TcpListener, sync::mpsc};
use web_push_native::{Auth, p256::SecretKey};

use crate::fixtures::TIMEOUT;

/// The secrets of a browser.
pub struct Browser {
    pub endpoint: String,
    private: SecretKey,
    auth: [u8; 16],
}

impl Browser {
    /// Creates a browser with an endpoint and keys from a number.
    pub fn at(endpoint: &str, keys: u8) -> Self {
        let private = SecretKey::from_slice(&[keys; 32]).unwrap();
        Self { endpoint: endpoint.to_owned(), private, auth: [keys; 16] }
    }

    pub fn public_key(&self) -> Vec<u8> {
        self.private.public_key().to_sec1_bytes().into_vec()
    }

    pub const fn auth(&self) -> &[u8] {
        &self.auth
    }

    /// Decrypts a push to this browser.
    pub fn decrypt(&self, push: &Push) -> Value {
        assert!(self.endpoint.ends_with(&format!("/{}", push.path)), "for another browser: {}", push.path);
        let content = web_push_native::decrypt(push.body.to_vec(), &self.private, &Auth::from(self.auth)).unwrap();
        serde_json::from_slice(&content).unwrap()
    }
}

/// A received push.
#[derive(Clone, Debug)]
pub struct Push {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Push {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).unwrap_or_else(|| panic!("no header {name}")).to_str().unwrap()
    }
}

/// A response: a status, and seconds of `Retry-After`.
type Answer = (u16, Option<u32>);
type Answers = Arc<Mutex<HashMap<String, VecDeque<Answer>>>>;

pub struct PushService {
    pub address: SocketAddr,
    received: mpsc::UnboundedReceiver<Push>,
    answers: Answers,
    _server: tokio::task::JoinHandle<()>,
}

impl PushService {
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (sender, received) = mpsc::unbounded_channel();
        let answers = Answers::default();
        let router = Router::new().route("/{browser}", post(receive)).with_state((sender, Arc::clone(&answers)));
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { address, received, answers, _server: server }
    }

    /// Creates a browser of this push service.
    pub fn browser(&self, n: u8) -> Browser {
        Browser::at(&format!("http://{}/{n}", self.address), n)
    }

    /// Sets the next responses to a browser; later ones are 201.
    pub fn answer(&self, n: u8, answers: impl IntoIterator<Item = Answer>) {
        self.answers.lock().unwrap().insert(n.to_string(), answers.into_iter().collect());
    }

    /// Waits for the next push.
    pub async fn next(&mut self) -> Push {
        tokio::time::timeout(TIMEOUT, self.received.recv()).await.expect("a push arrives").unwrap()
    }

    /// Returns the pushes that arrived until now.
    pub fn arrived(&mut self) -> Vec<Push> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }
}

async fn receive(
    State((sender, answers)): State<(mpsc::UnboundedSender<Push>, Answers)>,
    Path(path): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let answer = answers.lock().unwrap().get_mut(&path).and_then(VecDeque::pop_front);
    let (status, retry_after) = answer.unwrap_or((201, None));
    sender.send(Push { path, headers, body }).unwrap();
    let status = http::StatusCode::from_u16(status).unwrap();
    match retry_after {
        Some(seconds) => (status, [("retry-after", seconds.to_string())]).into_response(),
        None => (status, [("location", "/2")]).into_response(),
    }
}
