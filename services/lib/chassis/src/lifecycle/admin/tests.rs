//! Tests of the probes over a socket, and of the stop with an open connection.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
    time::Instant,
};

use super::*;
use crate::lifecycle::{Tasks, serve_admin};

async fn start(tasks: &Tasks, readiness: &Readiness) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    serve_admin(tasks, listener, readiness.clone(), String::new);
    address
}

/// The status of a probe on a connection that stays open.
async fn probe(connection: &mut BufReader<TcpStream>, path: &str) -> u16 {
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    connection.write_all(request.as_bytes()).await.unwrap();
    let (mut status, mut length) = (0, 0);
    loop {
        let mut line = String::new();
        assert_ne!(connection.read_line(&mut line).await.unwrap(), 0, "the connection was closed");
        if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
            status = rest.split(' ').next().unwrap().parse().unwrap();
        } else if let Some(rest) = line.to_lowercase().strip_prefix("content-length:") {
            length = rest.trim().parse().unwrap();
        } else if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.unwrap();
    status
}

#[tokio::test]
async fn a_process_is_alive_then_started_and_ready_and_not_ready_while_it_drains() {
    let (tasks, readiness) = (Tasks::default(), Readiness::default());
    let address = start(&tasks, &readiness).await;
    let mut connection = BufReader::new(TcpStream::connect(address).await.unwrap());
    let mut probes = async || {
        let mut statuses = [0; 3];
        for (status, path) in statuses.iter_mut().zip(["/livez", "/startupz", "/readyz"]) {
            *status = probe(&mut connection, path).await;
        }
        statuses
    };
    assert_eq!(probes().await, [200, 503, 503]);
    readiness.start();
    assert_eq!(probes().await, [200, 200, 200]);
    readiness.drain();
    assert_eq!(probes().await, [200, 200, 503]);
}

/// In paused time a wait for the end of the connection would take ten seconds.
#[tokio::test(start_paused = true)]
async fn an_open_connection_to_the_admin_port_does_not_delay_the_stop() {
    let (tasks, readiness) = (Tasks::default(), Readiness::default());
    let address = start(&tasks, &readiness).await;
    let mut connection = BufReader::new(TcpStream::connect(address).await.unwrap());
    assert_eq!(probe(&mut connection, "/livez").await, 200);
    let begun = Instant::now();
    tasks.stop(Duration::from_secs(10)).await;
    assert_eq!(begun.elapsed(), Duration::ZERO);
}
