//! Closes HTTP/1 connections whose request head arrives slowly. An idle connection may live longer than that: a proxy uses it again,
//! and a request that meets the closing of its connection fails, because only the proxy could repeat it.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

/// Between requests.
const IDLE: u8 = 0;
/// The first byte of a head was read, or none of the first head of the connection.
const HEAD: u8 = 1;
/// A request is handled.
const HANDLING: u8 = 2;
/// HTTP/2, which has no heads of connections.
const UNLIMITED: u8 = 3;

/// The phase of a connection, shared by its stream and its handler.
#[derive(Clone, Debug)]
pub(super) struct Phase(Arc<AtomicU8>);

impl Phase {
    /// A head was read completely.
    pub fn begin(&self, is_http2: bool) {
        self.0.store(if is_http2 { UNLIMITED } else { HANDLING }, Ordering::Relaxed);
    }

    /// There is a response.
    pub fn end(&self) {
        let _ = self.0.compare_exchange(HANDLING, IDLE, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// The reading half of a connection, with a timeout for each head.
pub(super) struct SlowHeads<S> {
    stream: S,
    phase: Phase,
    timeout: Duration,
    deadline: Pin<Box<Sleep>>,
}

impl<S> SlowHeads<S> {
    /// The timeout of the first head begins now.
    pub fn new(stream: S, timeout: Duration) -> (Self, Phase) {
        let phase = Phase(Arc::new(AtomicU8::new(HEAD)));
        let deadline = Box::pin(sleep_until(Instant::now() + timeout));
        (Self { stream, phase: phase.clone(), timeout, deadline }, phase)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for SlowHeads<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        if Pin::new(&mut self.stream).poll_read(cx, buf)?.is_ready() {
            if buf.filled().len() > before && self.phase.0.load(Ordering::Relaxed) == IDLE {
                let deadline = Instant::now() + self.timeout;
                self.deadline.as_mut().reset(deadline);
                self.phase.0.store(HEAD, Ordering::Relaxed);
            }
            return Poll::Ready(Ok(()));
        }
        if self.phase.0.load(Ordering::Relaxed) != HEAD {
            return Poll::Pending;
        }
        ready!(self.deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex},
        time::timeout,
    };

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(10);
    const LONGER: Duration = Duration::from_secs(60);

    fn connection() -> (DuplexStream, SlowHeads<DuplexStream>, Phase) {
        let (client, server) = duplex(1024);
        let (stream, phase) = SlowHeads::new(server, TIMEOUT);
        (client, stream, phase)
    }

    /// Sends and reads one byte.
    async fn pass(client: &mut DuplexStream, stream: &mut SlowHeads<DuplexStream>) {
        client.write_u8(1).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 1);
    }

    async fn assert_ends(stream: &mut SlowHeads<DuplexStream>) {
        let ended = timeout(LONGER, stream.read_u8()).await.expect("it stays open");
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_head_has_a_timeout() {
        let (_client, mut stream, _) = connection();
        assert_ends(&mut stream).await;
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_stays_open_and_its_next_head_has_a_timeout() {
        let (mut client, mut stream, phase) = connection();
        for _ in 0..2 {
            pass(&mut client, &mut stream).await;
            phase.begin(false);
            assert!(timeout(LONGER, stream.read_u8()).await.is_err(), "the handler may take long");
            phase.end();
            assert!(timeout(LONGER, stream.read_u8()).await.is_err(), "it is idle");
        }
        pass(&mut client, &mut stream).await;
        assert_ends(&mut stream).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_in_many_pieces_has_one_timeout() {
        let (mut client, mut stream, _) = connection();
        let begun = Instant::now();
        while begun.elapsed() < TIMEOUT / 2 {
            pass(&mut client, &mut stream).await;
            assert!(timeout(TIMEOUT / 5, stream.read_u8()).await.is_err());
        }
        assert_ends(&mut stream).await;
        assert_eq!(begun.elapsed(), TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn http2_has_no_heads() {
        let (mut client, mut stream, phase) = connection();
        pass(&mut client, &mut stream).await;
        phase.begin(true);
        phase.end();
        pass(&mut client, &mut stream).await;
        assert!(timeout(LONGER, stream.read_u8()).await.is_err(), "a frame begins no head");
    }
}
