//! A request that can be sent again, as long as no endpoint has received it.

use bytes::Bytes;
use futures::{FutureExt as _, StreamExt as _, stream};
use http::{Request, request::Parts};
use http_body_util::{BodyExt as _, Full};
use tonic::{Status, body::Body};

/// The longest body that is kept, in bytes. A longer one is sent once.
const MAX_LENGTH: usize = 1 << 20;

/// A request with its whole body, or with a stream, which is sent once.
pub(crate) struct Replay {
    parts: Parts,
    body: ReplayBody,
}

enum ReplayBody {
    Whole(Bytes),
    Stream(Option<Body>),
}

impl Replay {
    /// Reads a body that is there without waiting, as in every call with one request message.
    pub(crate) fn new(request: Request<Body>) -> Result<Self, Status> {
        let (parts, mut body) = request.into_parts();
        let mut read: Vec<Bytes> = Vec::new();
        while read.iter().map(Bytes::len).sum::<usize>() <= MAX_LENGTH {
            match body.frame().now_or_never() {
                Some(Some(frame)) => read.extend(frame?.into_data().ok()),
                Some(None) => {
                    let whole = if read.len() == 1 { read.remove(0) } else { read.concat().into() };
                    return Ok(Self { parts, body: ReplayBody::Whole(whole) });
                }
                None => break,
            }
        }
        let read = stream::iter(read.into_iter().map(Ok));
        let whole = axum::body::Body::from_stream(read.chain(body.into_data_stream()));
        Ok(Self { parts, body: ReplayBody::Stream(Some(Body::new(whole))) })
    }

    /// The next copy; `None` when the stream was sent.
    pub(crate) fn next(&mut self) -> Option<Request<Body>> {
        let body = match &mut self.body {
            ReplayBody::Whole(bytes) => Body::new(Full::new(bytes.clone())),
            ReplayBody::Stream(stream) => stream.take()?,
        };
        let mut request = Request::new(body);
        *request.method_mut() = self.parts.method.clone();
        *request.uri_mut() = self.parts.uri.clone();
        *request.version_mut() = self.parts.version;
        *request.headers_mut() = self.parts.headers.clone();
        *request.extensions_mut() = self.parts.extensions.clone();
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(request: Request<Body>) -> Bytes {
        request.into_body().collect().await.unwrap().to_bytes()
    }

    #[tokio::test]
    async fn a_message_is_sent_again_and_a_stream_is_not() {
        let mut message = Replay::new(Request::post("/call").body(Body::new(Full::from("one"))).unwrap()).unwrap();
        for _ in 0..2 {
            let copy = message.next().unwrap();
            assert_eq!(copy.uri().path(), "/call");
            assert_eq!(text(copy).await, "one");
        }
        let (sender, receiver) = tokio::sync::mpsc::channel::<Bytes>(2);
        sender.send(Bytes::from("first ")).await.unwrap();
        let chunks = stream::unfold(receiver, async |mut receiver| {
            let data = receiver.recv().await?;
            Some((Ok::<_, Status>(data), receiver))
        });
        let body = Body::new(axum::body::Body::from_stream(chunks));
        let mut streamed = Replay::new(Request::new(body)).unwrap();
        let copy = streamed.next().unwrap();
        assert!(streamed.next().is_none());
        sender.send(Bytes::from("second")).await.unwrap();
        drop(sender);
        assert_eq!(text(copy).await, "first second");
    }
}
