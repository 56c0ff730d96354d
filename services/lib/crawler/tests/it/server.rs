//! A server that sends the bytes of a test and counts connections.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crawler::fetch::{AdmittedHosts, Document, Failure, FetchOutcome, Fetcher, Policy, Request};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// The policy for feeds with a timeout that no machine reaches.
pub const PATIENT: Policy = Policy { timeout: Duration::from_secs(300), ..Policy::FEED };

/// The response to a request.
#[derive(Clone)]
pub enum Answer {
    /// These bytes, then the connection is closed.
    Bytes(Vec<u8>),
    /// The first bytes, then the second ones repeatedly.
    Endless(Vec<u8>, Vec<u8>),
    /// These bytes one by one, with a delay before each.
    Slowly(Vec<u8>, Duration),
    /// These bytes, then silence.
    Silence(Vec<u8>),
}

/// A running server, which stops when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    accepts: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Starts a server. `answer` returns the response for a target (`/path?query`).
    pub async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self::at((Ipv4Addr::LOCALHOST, 0).into(), answer).await.unwrap()
    }

    /// The same at an address.
    pub async fn at(address: SocketAddr, answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (accepts, requests) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let (counted, kept, answer) = (Arc::clone(&accepts), Arc::clone(&requests), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&answer)));
            }
        });
        Ok(Self { address, accepts, requests, task })
    }

    /// Sends the same bytes for every target.
    pub async fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |_| Answer::Bytes(bytes.clone())).await
    }

    /// A server whose address is not admitted.
    pub async fn private() -> Self {
        Self::saying(ok("reached")).await
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The number of connections.
    pub fn accepts(&self) -> usize {
        self.accepts.load(Ordering::SeqCst)
    }

    /// The requests so far, each with its headers, in lower case.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// A fetcher for this server and for https at `host.example`.
    pub fn fetcher(&self) -> Fetcher {
        Fetcher::new(self.admitted(), ["host.example".to_owned()]).unwrap()
    }

    pub fn admitted(&self) -> AdmittedHosts {
        self.address.to_string().parse().unwrap()
    }

    /// Fetches a path of this server with the policy for feeds and a long timeout.
    pub async fn fetch(&self, path: &str) -> Result<FetchOutcome, Failure> {
        self.fetch_by(path, &PATIENT).await
    }

    pub async fn fetch_by(&self, path: &str, policy: &Policy) -> Result<FetchOutcome, Failure> {
        within(self.fetcher().fetch(&request(&self.url(path)), policy)).await
    }

    /// The failure of a path.
    pub async fn failure(&self, path: &str) -> Failure {
        self.fetch(path).await.unwrap_err()
    }

    /// The document at a path.
    pub async fn document(&self, path: &str) -> Document {
        document(self.fetch(path).await)
    }
}

async fn serve(
    mut stream: TcpStream,
    kept: Arc<Mutex<Vec<String>>>,
    answer: Arc<impl Fn(&str) -> Answer + Send + Sync + 'static>,
) -> io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(stream.read_u8().await?);
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let target = request.split(' ').nth(1).unwrap_or_default().to_owned();
    kept.lock().unwrap().push(request);
    match answer(&target) {
        Answer::Bytes(bytes) => {
            stream.write_all(&bytes).await?;
            stream.shutdown().await
        }
        Answer::Endless(first, again) => {
            stream.write_all(&first).await?;
            loop {
                stream.write_all(&again).await?;
            }
        }
        Answer::Slowly(bytes, rest) => {
            for byte in bytes {
                tokio::time::sleep(rest).await;
                stream.write_u8(byte).await?;
            }
            Ok(())
        }
        Answer::Silence(bytes) => {
            stream.write_all(&bytes).await?;
            std::future::pending().await
        }
    }
}

/// A complete response with status 200.
pub fn ok(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer("200 OK", &[], body)
}

/// A complete response.
pub fn answer(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut head = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

/// A redirect.
pub fn redirect(to: &str) -> Vec<u8> {
    answer("302 Found", &[&format!("location: {to}")], "")
}

pub fn request(url: &str) -> Request {
    Request::new(url.parse().unwrap(), "application/rss+xml")
}

pub fn document(fetched: Result<FetchOutcome, Failure>) -> Document {
    match fetched {
        Ok(FetchOutcome::Document(document)) => document,
        other => panic!("no document: {other:?}"),
    }
}

/// Fails instead of waiting forever. `time.rs` tests the timeout of the policy.
pub async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(600), work).await.expect("it waited forever")
}

/// Another loopback address than 127.0.0.1, at which a server can listen.
pub async fn another_loopback() -> IpAddr {
    // Linux accepts all of 127.0.0.0/8, other systems ::1.
    for address in [IpAddr::from([127, 0, 0, 2]), IpAddr::from(std::net::Ipv6Addr::LOCALHOST)] {
        if TcpListener::bind((address, 0)).await.is_ok() {
            return address;
        }
    }
    panic!("this machine has one loopback address only");
}
