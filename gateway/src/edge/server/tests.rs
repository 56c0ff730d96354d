//! Clients that read nothing of a large response, that send a request slowly, and that hold many connections.

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

/// Longer than any test.
const NEVER: Duration = Duration::from_hours(1);

const LIMITS: Limits = Limits {
    connections: 2,
    header_timeout: NEVER,
    write_timeout: NEVER,
    idle_timeout: NEVER,
    idle_timeout_under_pressure: NEVER,
};

async fn start(limits: Limits) -> SocketAddr {
    start_for(Clients::new(usize::MAX, &[]), limits).await
}

async fn start_for(clients: Arc<Clients>, limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().route("/large", get(async || vec![b'x'; LARGE])).route("/small", get(async || "small"));
    tokio::spawn(Server { router, clients }.serve_within(limits, listener, std::future::pending()));
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
    let address = start(Limits { connections: 1, write_timeout: Duration::from_millis(200), ..LIMITS }).await;
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
    let address = start(LIMITS).await;
    assert!(length(request(address, "/large").await).await > LARGE);
}

#[tokio::test]
async fn a_slow_head_ends_its_connection() {
    let header_timeout = Duration::from_millis(200);
    let address = start(Limits { header_timeout, ..LIMITS }).await;
    let silent = TcpStream::connect(address).await.unwrap();
    assert_eq!(length(silent).await, 0, "nothing was sent, and nothing is answered");
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"GET /small HTTP/1.1\r\n").await.unwrap();
    assert_eq!(length(slow).await, 0, "half a head is not answered");
}

/// An open connection after a response.
async fn idle(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /small HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    read_until(&mut stream, "small").await;
    stream
}

async fn read_until(stream: &mut TcpStream, end: &str) {
    let mut read = String::new();
    while !read.ends_with(end) {
        let byte = timeout(TIMEOUT, stream.read_u8()).await.expect("no response").expect("the connection ended");
        read.push(char::from(byte));
    }
}

#[tokio::test]
async fn a_client_with_too_many_connections_is_refused_until_one_ends() {
    let address = start_for(Clients::new(2, &[]), Limits { connections: 8, ..LIMITS }).await;
    let mut held = vec![idle(address).await, idle(address).await];
    let mut refused = String::new();
    TcpStream::connect(address).await.unwrap().read_to_string(&mut refused).await.unwrap();
    let (head, body) = refused.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 429 ") && head.contains("retry-after: 1"), "{refused}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{refused}");
    assert!(body.contains("\"TOO_MANY_CONNECTIONS\""), "{refused}");

    held.pop();
    // The server notices the end of a connection a little later.
    while length(request(address, "/small").await).await == 0 {}
}

#[tokio::test]
async fn an_idle_connection_makes_place_under_pressure() {
    let idle_timeout_under_pressure = Duration::from_millis(200);
    let address = start(Limits { idle_timeout_under_pressure, ..LIMITS }).await;
    let _held = [idle(address).await, idle(address).await];
    assert!(length(request(address, "/small").await).await > 0);
}

#[tokio::test]
async fn a_response_that_waits_for_its_reader_is_not_cut_under_pressure() {
    let address = start(Limits { idle_timeout_under_pressure: Duration::from_millis(50), ..LIMITS }).await;
    let mut slow = request(address, "/large").await;
    read_until(&mut slow, "\r\n\r\n").await;
    // Under pressure, this idle connection ends while the other one waits for its reader.
    assert_eq!(length(idle(address).await).await, 0);
    assert_eq!(length(slow).await, LARGE);
}
