//! The door on a real socket: slow senders, pipelined silence, and an orderly end.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

use crate::{
    door::Door,
    fakes::{Failure, SOON},
};

struct Served {
    door: Door,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<anyhow::Result<()>>,
}

async fn serve() -> Served {
    let door = Door::open().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let router = door.router();
    let served = tokio::spawn(gateway::serve(router, listener, async { drop(stopped.await) }));
    Served { door, address, stop, served }
}

impl Served {
    async fn say(&self, words: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(words.replace("HERE", &self.address.to_string()).as_bytes()).await.unwrap();
        stream
    }

    async fn ask(&self, words: &str) -> String {
        heard(self.say(words).await).await
    }
}

async fn heard(mut stream: TcpStream) -> String {
    let mut answer = String::new();
    timeout(SOON * 10, stream.read_to_string(&mut answer)).await.unwrap().unwrap();
    answer
}

#[tokio::test]
async fn a_port_nobody_chose_is_one_of_our_names() {
    let served = serve().await;
    let answer = served.ask("GET /api/posts HTTP/1.1\r\nhost: HERE\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let answer = served.ask("GET /api/posts HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
}

#[tokio::test]
async fn head_tells_the_length_and_sends_nothing() {
    let served = serve().await;
    let answer = served.ask("HEAD /api/posts HTTP/1.1\r\nhost: HERE\r\nconnection: close\r\n\r\n").await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("content-length: "), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
}

#[tokio::test]
async fn a_chunked_body_is_bounded_too() {
    let served = serve().await;
    let head = "POST /api/auth/login HTTP/1.1\r\nhost: HERE\r\ncontent-type: application/json\r\n";
    let chunk = format!("11000\r\n{}\r\n0\r\n\r\n", "a".repeat(0x11000));
    let ask = format!("{head}connection: close\r\ntransfer-encoding: chunked\r\n\r\n{chunk}");
    assert!(served.ask(&ask).await.starts_with("HTTP/1.1 413"));
}

#[tokio::test(start_paused = true)]
async fn headers_that_never_end_are_not_waited_for() {
    let served = serve().await;
    let begun = tokio::time::Instant::now();
    let answer = heard(served.say("GET / HTTP/1.1\r\nhost: HERE\r\nx-slow: ").await).await;
    assert!(!answer.contains("200"), "{answer}");
    assert!(begun.elapsed() <= Duration::from_secs(11), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn what_runs_is_finished_and_nothing_new_begun() {
    let served = serve().await;
    served.door.world.fail_once("list_posts", Failure::Hangs);
    let running = served.say("GET /api/posts HTTP/1.1\r\nhost: HERE\r\n\r\n").await;
    while served.door.world.count("list_posts") == 0 {
        tokio::task::yield_now().await;
    }
    served.stop.send(()).unwrap();
    // The neighbour never answers; the gateway does, when its deadline passes.
    let answer = heard(running).await;
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    served.served.await.unwrap().unwrap();
    assert!(TcpStream::connect(served.address).await.is_err());
}
