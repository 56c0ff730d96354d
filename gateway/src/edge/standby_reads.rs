//! Calls that only read go to a standby of the service, if it has one, and see what this process has heard of and what the browser
//! has written.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use http::{Request, Response};
use portia_proto::is_read;
use primitives::log_position::{LogPosition, READ_AFTER, WRITTEN_BEFORE};
use rpc::Positions;
use tonic::{Status, body::Body};
use tower::Service;

/// A transport to a service that may have a standby.
#[derive(Clone)]
pub struct StandbyReads<S> {
    inner: S,
    service: &'static str,
    /// The position that contains every fact that this process has received. Zero until the service is known to have a standby.
    received: Arc<AtomicU64>,
}

impl<S> StandbyReads<S> {
    /// Around a transport to `service`.
    pub const fn new(inner: S, service: &'static str, received: Arc<AtomicU64>) -> Self {
        Self { inner, service, received }
    }
}

impl<S, B> Service<Request<Body>> for StandbyReads<S>
where
    S: Service<Request<Body>, Response = Response<B>, Error = Status>,
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = Response<B>;
    type Error = Status;
    type Future = Pin<Box<dyn Future<Output = Result<Response<B>, Status>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Status>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let positions = request.extensions_mut().remove::<Arc<Positions>>();
        let is_read = is_read(request.uri().path());
        let received = LogPosition(self.received.load(Ordering::Acquire));
        if is_read && received > LogPosition::default() {
            let own = positions.as_ref().map(|positions| positions.of(self.service));
            request.headers_mut().insert(READ_AFTER, own.unwrap_or_default().max(received).into());
        }
        let (service, known) = (self.service, Arc::clone(&self.received));
        let called = self.inner.call(request);
        Box::pin(async move {
            let result = called.await;
            let written =
                result.as_ref().ok().and_then(|response| LogPosition::of_header(response.headers(), &WRITTEN_BEFORE));
            if written.is_some() {
                known.fetch_max(1, Ordering::AcqRel);
            }
            // A call without a position may still have written: its replica has no standby, or its response was lost.
            let position = written.or_else(|| (received > LogPosition::default()).then_some(LogPosition::PRIMARY));
            if let Some((positions, position)) = positions.zip(position).filter(|_| !is_read) {
                positions.raise(service, position);
            }
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const READ: &str = "/portia.feed.v1.FeedService/ListPosts";
    const WRITE: &str = "/portia.feed.v1.FeedService/CreatePost";

    /// A service with a standby, which notes the positions that it is asked for.
    #[derive(Clone, Default)]
    struct Upstream {
        written: Option<u64>,
        asked: Arc<Mutex<Vec<Option<u64>>>>,
    }

    impl Service<Request<Body>> for Upstream {
        type Response = Response<()>;
        type Error = Status;
        type Future = std::future::Ready<Result<Response<()>, Status>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request<Body>) -> Self::Future {
            let asked = LogPosition::of_header(request.headers(), &READ_AFTER).map(|position| position.0);
            self.asked.lock().unwrap().push(asked);
            let mut response = Response::new(());
            // As rpc's layers do: reads of a position are not answered with one.
            if let Some(written) = self.written.filter(|_| asked.is_none()) {
                response.headers_mut().insert(WRITTEN_BEFORE, LogPosition(written).into());
            }
            std::future::ready(Ok(response))
        }
    }

    async fn call(reads: &mut StandbyReads<Upstream>, path: &str, positions: Option<&Arc<Positions>>) -> Option<u64> {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = path.parse().unwrap();
        if let Some(positions) = positions {
            request.extensions_mut().insert(Arc::clone(positions));
        }
        reads.call(request).await.unwrap();
        reads.inner.asked.lock().unwrap().pop().unwrap()
    }

    fn reads(written: Option<u64>) -> StandbyReads<Upstream> {
        let upstream = Upstream { written, ..Upstream::default() };
        StandbyReads::new(upstream, "feed", Arc::default())
    }

    #[tokio::test]
    async fn without_a_standby_no_position_is_sent() {
        let (mut reads, positions) = (reads(None), Arc::default());
        for path in [READ, WRITE, READ] {
            assert_eq!(call(&mut reads, path, Some(&positions)).await, None);
        }
        assert!(positions.changed().is_empty());
    }

    #[tokio::test]
    async fn reads_contain_own_writes_and_what_the_process_received() {
        let (mut reads, positions) = (reads(Some(0x30)), Arc::<Positions>::default());
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, None, "there may be no standby");
        assert!(positions.changed().is_empty(), "a read is no write");
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, Some(1));
        assert_eq!(call(&mut reads, WRITE, Some(&positions)).await, None);
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, Some(0x30));
        assert_eq!(call(&mut reads, READ, None).await, Some(1), "of another browser");
        reads.received.store(0x20, Ordering::Release);
        assert_eq!(call(&mut reads, READ, None).await, Some(0x20));
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, Some(0x30));
        reads.received.store(0x40, Ordering::Release);
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, Some(0x40));
        assert_eq!(positions.changed(), [("feed", LogPosition(0x30))]);
    }

    #[tokio::test]
    async fn after_a_write_without_a_position_only_the_primary_is_read() {
        let (mut reads, positions) = (reads(None), Arc::<Positions>::default());
        reads.received.store(0x20, Ordering::Release);
        call(&mut reads, WRITE, Some(&positions)).await;
        assert_eq!(call(&mut reads, READ, Some(&positions)).await, Some(u64::MAX));
        assert_eq!(call(&mut reads, READ, None).await, Some(0x20), "of another browser");
    }
}
