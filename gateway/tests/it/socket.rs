//! The gateway on a real socket: slow clients, limits and shutdown.

use std::{net::SocketAddr, time::Duration};

use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};
use uuid::Uuid;

use crate::{
    actors::{ANA, BEN},
    fakes::{Failure, SOON},
    live::{Listener, message_sent, notify},
    test_gateway::{TestGateway, token},
};

struct Served {
    gateway: TestGateway,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<anyhow::Result<()>>,
}

async fn serve() -> Served {
    let gateway = TestGateway::start().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let served = tokio::spawn(gateway.server().serve(listener, async { drop(stopped.await) }));
    Served { gateway, address, stop, served }
}

impl Served {
    async fn connect_and_send(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.replace("HERE", &self.address.to_string()).as_bytes()).await.unwrap();
        stream
    }

    async fn exchange(&self, request: &str) -> String {
        read_to_end(self.connect_and_send(request).await).await
    }
}

async fn read_to_end(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    timeout(SOON * 10, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer
}

#[tokio::test]
async fn an_ephemeral_port_is_accepted_in_the_host_header() {
    let served = serve().await;
    let answer = served.exchange("GET /api/posts HTTP/1.1\r\nhost: HERE\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let answer = served.exchange("GET /api/posts HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
}

#[tokio::test]
async fn head_has_a_content_length_and_no_body() {
    let served = serve().await;
    let answer = served.exchange("HEAD /api/posts HTTP/1.1\r\nhost: HERE\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("content-length: "), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
}

#[tokio::test]
async fn a_chunked_body_is_limited() {
    let served = serve().await;
    let head = "POST /api/auth/login HTTP/1.1\r\nhost: HERE\r\ncontent-type: application/json\r\n";
    let chunk = format!("11000\r\n{}\r\n0\r\n\r\n", "a".repeat(0x11000));
    let ask = format!("{head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n{chunk}");
    assert!(served.exchange(&ask).await.starts_with("HTTP/1.1 413"));
}

#[tokio::test]
async fn a_refusal_before_the_body_is_read_closes_the_connection() {
    let served = serve().await;
    let head = "POST /api/auth/login HTTP/1.1\r\nhost: HERE\r\ncontent-type: application/json\r\n";
    for (headers, status) in
        [("content-length: 100000\r\n", "413"), ("content-length: 20\r\nsec-fetch-site: cross-site\r\n", "403")]
    {
        // The client keeps the connection open and sends no body.
        let answer = served.exchange(&format!("{head}{headers}\r\n")).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    }
    let mut kept = served.connect_and_send(&format!("{head}content-length: 2\r\n\r\n{{}}")).await;
    let (mut piece, mut answer) = (vec![0; 4096], String::new());
    while !answer.contains("requestId") {
        let read = timeout(SOON, kept.read(&mut piece)).await.unwrap().unwrap();
        answer.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    assert!(!answer.contains("connection: close"), "{answer}");
    kept.write_all(
        format!("GET /api/posts HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", served.address).as_bytes(),
    )
    .await
    .unwrap();
    assert!(read_to_end(kept).await.starts_with("HTTP/1.1 200"), "the connection serves the next request");
}

#[tokio::test(start_paused = true)]
async fn headers_that_never_end_time_out() {
    let served = serve().await;
    let begun = tokio::time::Instant::now();
    let answer = read_to_end(served.connect_and_send("GET / HTTP/1.1\r\nhost: HERE\r\nx-slow: ").await).await;
    assert!(!answer.contains("200"), "{answer}");
    assert!(begun.elapsed() <= Duration::from_secs(11), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn shutdown_finishes_running_requests_and_accepts_no_connection() {
    let served = serve().await;
    served.gateway.fakes.fail_once("list_posts", Failure::Hangs);
    let running = served.connect_and_send("GET /api/posts HTTP/1.1\r\nhost: HERE\r\n\r\n").await;
    while served.gateway.fakes.count("list_posts") == 0 {
        tokio::task::yield_now().await;
    }
    served.stop.send(()).unwrap();
    // The service never answers; the gateway answers at its deadline.
    let answer = read_to_end(running).await;
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    served.served.await.unwrap().unwrap();
    assert!(TcpStream::connect(served.address).await.is_err());
}

fn live_request(address: SocketAddr, member: Uuid) -> String {
    let cookie = format!("portia_session={}", token(member));
    format!("GET /api/live HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n")
}

#[tokio::test]
async fn an_open_stream_does_not_delay_the_shutdown() {
    let served = serve().await;
    let mut browser = served.connect_and_send(&live_request(served.address, ANA)).await;
    let (mut piece, mut answer) = (vec![0; 4096], String::new());
    while !answer.contains("event: hello") {
        let read = timeout(SOON, browser.read(&mut piece)).await.unwrap().unwrap();
        answer.push_str(std::str::from_utf8(&piece[..read]).unwrap());
    }
    served.gateway.drain();
    served.stop.send(()).unwrap();
    timeout(SOON, served.served).await.unwrap().unwrap().unwrap();
    timeout(SOON, browser.read_to_string(&mut answer)).await.unwrap().unwrap();
    assert!(answer.contains("event: bye") && answer.ends_with("0\r\n\r\n"), "the stream is complete: {answer}");
}

#[tokio::test]
async fn a_stalled_reader_is_disconnected_and_does_not_delay_others() {
    let gateway = TestGateway::start().await;
    // Small buffers, so that unread data soon stays in the gateway.
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_send_buffer_size(4096).unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(16).unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(gateway.server().serve(listener, std::future::pending()));
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stalled = socket.connect(address).await.unwrap();
    stalled.write_all(live_request(address, BEN).as_bytes()).await.unwrap();
    let mut reading = Listener::open(&gateway, BEN).await;
    // The stream has started when its first byte arrives.
    timeout(SOON, stalled.readable()).await.unwrap().unwrap();

    let sent = 3_000;
    for _ in 0..sent {
        gateway.fakes.publish("messaging", &message_sent()).await;
        assert_eq!(reading.next().await.unwrap().0, "message");
    }
    let mut answer = Vec::new();
    // The connection may be closed or reset.
    let _ = timeout(SOON, stalled.read_to_end(&mut answer)).await.expect("the connection is still open");
    let answer = String::from_utf8_lossy(&answer);
    let received = answer.matches("event: message").count();
    assert!(received < sent / 2 && !answer.ends_with("0\r\n\r\n"), "{received} of {sent}");
    notify(&gateway, BEN).await;
    reading.expect("notification", json!({})).await;
}
