//! An HTTP server with the pages of a test, which records the requests.

use std::{
    collections::HashMap,
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

type Pages = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// A running server, which stops when it is dropped.
pub struct PageServer {
    address: String,
    pages: Pages,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for PageServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl PageServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (pages, requests) = (Pages::default(), Arc::new(Mutex::new(Vec::new())));
        let (served, seen) = (Arc::clone(&pages), Arc::clone(&requests));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&served), Arc::clone(&seen)));
            }
        });
        Self { address, pages, requests, task }
    }

    /// Returns host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers a path with a status, a header and a body.
    pub fn put(&self, path: &str, status: &str, header: &str, body: impl AsRef<[u8]>) {
        let body = body.as_ref();
        let head =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n{header}\r\n\r\n", body.len());
        self.pages.lock().unwrap().insert(path.to_owned(), [head.as_bytes(), body].concat());
    }

    /// Answers a path with HTML.
    pub fn put_page(&self, path: &str, html: &str) {
        self.put(path, "200 OK", "content-type: text/html; charset=utf-8", html);
    }

    /// Returns how often a path was requested.
    pub fn count(&self, path: &str) -> usize {
        self.requests.lock().unwrap().iter().filter(|request| request.starts_with(&format!("GET {path} "))).count()
    }

    /// Returns the requests with their headers.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, pages: Pages, requests: Arc<Mutex<Vec<String>>>) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        request.push(stream.read_u8().await?);
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.lock().unwrap().push(request);
    let page = pages.lock().unwrap().get(&path).cloned();
    let unknown = b"HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_vec();
    stream.write_all(&page.unwrap_or(unknown)).await?;
    stream.shutdown().await
}
