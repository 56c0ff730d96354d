//! Upstreams that go away in the middle of a call.

use rpc::Transport;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use tonic::{Code, Request, client::Grpc, codegen::http::uri::PathAndQuery};
use tonic_prost::ProstCodec;

/// HTTP/2 as it is on the wire: settings, theirs acknowledged, `200 application/grpc` on the first stream.
const ANSWER: [&[u8]; 3] =
    [b"\0\0\0\x04\0\0\0\0\0", b"\0\0\0\x04\x01\0\0\0\0", b"\0\0\x14\x01\x04\0\0\0\x01\x88\x0f\x10\x10application/grpc"];
/// The beginning of a message of ten bytes, none of which come.
const BEGUN: &[u8] = b"\0\0\x05\0\0\0\0\0\x01\0\0\0\0\x0a";

#[tokio::test]
async fn an_answer_that_breaks_off_is_a_neighbour_that_is_away() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let [settings, acknowledged, headers] = ANSWER;
        stream.write_all(settings).await.unwrap();
        // Nothing may be said of a stream that is not open: a frame of headers (1) on the first one opens it.
        let mut heard = Vec::new();
        while !heard.windows(9).any(|frame| frame[3] == 1 && frame[5..] == [0, 0, 0, 1]) {
            assert_ne!(stream.read_buf(&mut heard).await.unwrap(), 0);
        }
        for frame in [acknowledged, headers, BEGUN] {
            stream.write_all(frame).await.unwrap();
        }
        stream.shutdown().await.unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let mut client = Grpc::new(Transport::remote(&format!("http://{address}")).unwrap());
    client.ready().await.unwrap();
    let path = PathAndQuery::from_static("/portia.test.v1.Test/Ask");
    let refused = client.unary(Request::new(()), path, ProstCodec::<(), ()>::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
}
