//! Upstreams that fail during a call.

use rpc::Transport;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tonic::{Code, Request, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

/// HTTP/2 frames: settings, settings acknowledged, `200 application/grpc` on the first stream.
const RESPONSE: [&[u8]; 3] =
    [b"\0\0\0\x04\0\0\0\0\0", b"\0\0\0\x04\x01\0\0\0\0", b"\0\0\x14\x01\x04\0\0\0\x01\x88\x0f\x10\x10application/grpc"];
/// The beginning of a message of ten bytes without the bytes.
const INCOMPLETE: &[u8] = b"\0\0\x05\0\0\0\0\0\x01\0\0\0\0\x0a";

#[tokio::test]
async fn an_interrupted_response_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let [settings, acknowledged, headers] = RESPONSE;
        stream.write_all(settings).await.unwrap();
        // A frame of headers (1) opens the first stream; no response may precede it.
        let mut received = Vec::new();
        while !received.windows(9).any(|frame| frame[3] == 1 && frame[5..] == [0, 0, 0, 1]) {
            assert_ne!(stream.read_buf(&mut received).await.unwrap(), 0);
        }
        for frame in [acknowledged, headers, INCOMPLETE] {
            stream.write_all(frame).await.unwrap();
        }
        stream.shutdown().await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let mut client = Grpc::new(Transport::remote("feed", &format!("http://{address}"), None).unwrap());
    client.ready().await.unwrap();
    let path = PathAndQuery::from_static("/portia.test.v1.Test/Ask");
    let error = client.unary(Request::new(()), path, ProstCodec::<(), ()>::default()).await.unwrap_err();
    assert_eq!(error.code(), Code::Unavailable, "{error:?}");
}
