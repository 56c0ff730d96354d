//! Clients that read nothing of a large response, that send a request slowly, and that use a connection again.

use axum::routing::get;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::timeout,
};

use super::*;

/// The timeout of a wait, also on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);
/// More than the buffers of a connection.
const LARGE: usize = 64 << 20;

async fn start(limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/large", get(async || vec![b'x'; LARGE])).route("/small", get(async || "small"));
    tokio::spawn(serve_within(limits, router, listener, std::future::pending()));
    address
}

async fn request(address: SocketAddr, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// The number of bytes until the end of the connection, in order or not.
async fn length(mut stream: TcpStream) -> usize {
    let mut read = Vec::new();
    timeout(TIMEOUT, stream.read_to_end(&mut read)).await.expect("the connection is open").unwrap_or(read.len());
    read.len()
}

#[tokio::test]
async fn a_reader_that_reads_nothing_is_disconnected_and_leaves_its_connection_to_others() {
    let address =
        start(Limits { connections: 1, header_timeout: TIMEOUT, write_timeout: Duration::from_millis(200) }).await;
    for _ in 0..2 {
        let stalled = request(address, "/large").await;
        timeout(TIMEOUT, stalled.readable()).await.unwrap().unwrap();
        // There is no second connection until this one is closed.
        let mut answer = String::new();
        let mut small = request(address, "/small").await;
        timeout(TIMEOUT, small.read_to_string(&mut answer)).await.expect("no connection becomes free").unwrap();
        assert!(answer.ends_with("small"), "{answer}");
        assert!(length(stalled).await < LARGE);
    }
}

#[tokio::test]
async fn a_reader_gets_the_whole_response() {
    let address = start(Limits { connections: 2, header_timeout: TIMEOUT, write_timeout: TIMEOUT }).await;
    assert!(length(request(address, "/large").await).await > LARGE);
}

#[tokio::test]
async fn a_slow_head_ends_its_connection() {
    let header_timeout = Duration::from_millis(200);
    let address = start(Limits { connections: 2, header_timeout, write_timeout: TIMEOUT }).await;
    let silent = TcpStream::connect(address).await.unwrap();
    assert_eq!(length(silent).await, 0, "nothing was sent, and nothing is answered");
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /small HTTP/1.1\r\n").await.unwrap();
    assert_eq!(length(slow).await, 0, "half a head is not answered");
}
