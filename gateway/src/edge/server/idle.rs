//! Closes idle connections sooner while many are open, so that clients which hold theirs without a request do not keep others out.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http::Response;
use hyper::body::{Frame, SizeHint};
use tokio::{
    io::AsyncWrite,
    sync::{Notify, Semaphore},
    time::sleep,
};

/// Whether more than half of the connections are open.
pub(super) struct Pressure {
    permits: Arc<Semaphore>,
    half: usize,
    risen: Notify,
}

impl Pressure {
    /// Measures the pressure of `max` connections, which have a permit each.
    pub fn new(permits: Arc<Semaphore>, max: usize) -> Self {
        Self { permits, half: max / 2, risen: Notify::new() }
    }

    fn is_high(&self) -> bool {
        self.permits.available_permits() < self.half
    }

    /// A connection was accepted.
    pub fn update(&self) {
        if self.is_high() {
            self.risen.notify_waiters();
        }
    }

    /// Returns when a connection had no request for `idle` under pressure.
    pub async fn idle(&self, requests: &Requests, idle: Duration) {
        loop {
            let risen = self.risen.notified();
            if !self.is_high() {
                risen.await;
            }
            let before = requests.begun();
            sleep(idle).await;
            if self.is_high() && requests.begun() == before && requests.are_sent() {
                return;
            }
        }
    }
}

/// The requests of a connection, from the end of the head to the end of the response.
#[derive(Clone, Default)]
pub(super) struct Requests(Arc<State>);

#[derive(Default)]
struct State {
    begun: AtomicU64,
    finished: AtomicU64,
    /// Bytes of a response wait for the client. The request is finished sooner, when hyper has taken its last bytes.
    is_writing: AtomicBool,
}

/// A request that is finished with the drop of the value.
pub(super) struct Running(Requests);

impl Requests {
    pub fn begin(&self) -> Running {
        self.0.begun.fetch_add(1, Ordering::Relaxed);
        Running(self.clone())
    }

    fn begun(&self) -> u64 {
        self.0.begun.load(Ordering::Relaxed)
    }

    fn are_sent(&self) -> bool {
        self.0.finished.load(Ordering::Relaxed) == self.begun() && !self.0.is_writing.load(Ordering::Relaxed)
    }

    /// The writing half of the connection.
    pub fn writer<W>(&self, stream: W) -> Writer<W> {
        Writer { stream, requests: self.clone() }
    }
}

impl Running {
    /// The request lasts until hyper has taken the response, or given it up.
    pub fn until_taken(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| Body::new(Counted { body, _running: self }))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.finished.fetch_add(1, Ordering::Relaxed);
    }
}

/// Notes whether the client is slower than the response.
pub(super) struct Writer<W> {
    stream: W,
    requests: Requests,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    fn note<T>(&mut self, poll: impl FnOnce(Pin<&mut W>) -> Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        let polled = poll(Pin::new(&mut self.stream));
        self.requests.0.is_writing.store(polled.is_pending(), Ordering::Relaxed);
        polled
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Writer<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.note(|stream| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.note(|stream| stream.poll_write_vectored(cx, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

struct Counted {
    body: Body,
    _running: Running,
}

impl hyper::body::Body for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Instant, timeout};

    use super::*;

    const IDLE: Duration = Duration::from_secs(5);
    const LONGER: Duration = Duration::from_mins(10);

    fn pressure(open: usize) -> (Pressure, Vec<tokio::sync::OwnedSemaphorePermit>) {
        let permits = Arc::new(Semaphore::new(8));
        let held = (0..open).map(|_| Arc::clone(&permits).try_acquire_owned().unwrap()).collect();
        (Pressure::new(permits, 8), held)
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_ends_under_pressure_only() {
        let (pressure, _held) = pressure(4);
        let requests = Requests::default();
        assert!(timeout(LONGER, pressure.idle(&requests, IDLE)).await.is_err(), "half of the connections are free");

        let waiting = pressure.idle(&requests, IDLE);
        tokio::pin!(waiting);
        assert!(timeout(LONGER, &mut waiting).await.is_err());
        let _fifth = Arc::clone(&pressure.permits).try_acquire_owned().unwrap();
        pressure.update();
        let begun = Instant::now();
        timeout(LONGER, waiting).await.expect("the pressure rose");
        assert_eq!(begun.elapsed(), IDLE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_a_request_is_not_idle() {
        let (pressure, _held) = pressure(8);
        let requests = Requests::default();
        let response = requests.begin().until_taken(Response::new(Body::from("text")));
        assert!(timeout(LONGER, pressure.idle(&requests, IDLE)).await.is_err(), "the response is not sent");
        drop(response);
        timeout(LONGER, pressure.idle(&requests, IDLE)).await.unwrap();

        let busy = async {
            for _ in 0..100 {
                drop(requests.begin());
                sleep(IDLE - Duration::from_secs(1)).await;
            }
        };
        tokio::select! {
            () = pressure.idle(&requests, IDLE) => panic!("there was a request in every {IDLE:?}"),
            () = busy => {}
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_stays_when_the_pressure_falls() {
        let (pressure, mut held) = pressure(5);
        let requests = Requests::default();
        let waiting = pressure.idle(&requests, IDLE);
        tokio::pin!(waiting);
        assert!(timeout(IDLE / 2, &mut waiting).await.is_err());
        held.pop();
        assert!(timeout(LONGER, waiting).await.is_err());
    }
}
