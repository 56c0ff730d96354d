//! A proxy passes bytes on, ends connections when it is cut, and admits new ones afterwards.

use std::net::Ipv4Addr;

use portia_chaos::Proxy;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// A server that returns every byte.
async fn echo() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let (mut from, mut to) = stream.into_split();
                tokio::io::copy(&mut from, &mut to).await.ok();
            });
        }
    });
    port
}

async fn exchange(stream: &mut TcpStream) -> std::io::Result<[u8; 5]> {
    stream.write_all(b"torts").await?;
    let mut returned = [0; 5];
    stream.read_exact(&mut returned).await?;
    Ok(returned)
}

#[tokio::test]
async fn a_cut_ends_connections_and_new_ones_are_refused_until_it_admits_them() {
    let proxy = Proxy::start(0, echo().await).await.unwrap();
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port()));
    let mut stream = connect().await.unwrap();
    assert_eq!(exchange(&mut stream).await.unwrap(), *b"torts");

    proxy.cut();
    assert!(exchange(&mut stream).await.is_err(), "it has ended");
    let mut refused = connect().await.unwrap();
    assert!(exchange(&mut refused).await.is_err(), "it is closed at once");

    proxy.admit();
    let mut admitted = connect().await.unwrap();
    assert_eq!(exchange(&mut admitted).await.unwrap(), *b"torts");
}

#[tokio::test]
async fn the_end_of_a_direction_is_passed_on_after_its_bytes() {
    let proxy = Proxy::start(0, echo().await).await.unwrap();
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port())).await.unwrap();
    proxy.delay(std::time::Duration::from_millis(1));
    stream.write_all(b"one").await.unwrap();
    stream.shutdown().await.unwrap();
    let mut returned = Vec::new();
    stream.read_to_end(&mut returned).await.unwrap();
    assert_eq!(returned, b"one");
}
