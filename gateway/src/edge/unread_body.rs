//! Says that a connection closes after a response to a request whose body was not read: hyper closes it, because the next
//! request would begin in the middle of that body.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::HttpBody as Body;
use http::{HeaderValue, Response, header};
use hyper::body::{Frame, SizeHint};

/// A body that notes its end.
pub struct Tracked<B> {
    body: B,
    read: ReadToEnd,
}

/// Whether a body was read to its end.
#[derive(Clone, Debug)]
pub struct ReadToEnd(Arc<AtomicBool>);

impl<B: Body> Tracked<B> {
    /// The body, and its state.
    pub fn new(body: B) -> (Self, ReadToEnd) {
        let read = ReadToEnd(Arc::new(AtomicBool::new(body.is_end_stream())));
        (Self { body, read: read.clone() }, read)
    }
}

impl<B: Body + Unpin> Body for Tracked<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.read.0.store(true, Ordering::Relaxed);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl ReadToEnd {
    /// Adds `Connection: close` to a response before the end of the body.
    pub fn announce<B>(&self, response: &mut Response<B>) {
        if !self.0.load(Ordering::Relaxed) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}
