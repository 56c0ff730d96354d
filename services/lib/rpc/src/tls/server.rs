//! Accepts connections with certificates, and passes the names in them to the layers.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use futures::{Stream, stream};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tonic::transport::server::Connected;

use super::{Tls, processes_of};

/// The time in which a caller must present its certificate.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum of handshakes at a time. Further connections wait in the queue of the operating system.
const MAX_HANDSHAKES: usize = 256;
/// The side of the warnings about callers.
const CALLERS: &str = "callers";
/// The pause after a failed `accept`, for example for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The processes that the certificate of a caller names; in the extensions of its requests.
#[derive(Clone, Debug)]
pub(crate) struct Peer(Arc<[&'static str]>);

impl Peer {
    /// Whether the certificate names `process`.
    pub(crate) fn is(&self, process: &str) -> bool {
        self.0.contains(&process)
    }
}

/// A connection whose caller is verified.
pub(crate) struct PeerStream {
    stream: TlsStream<TcpStream>,
    peer: Peer,
}

impl Connected for PeerStream {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

/// The connections of a listener, which closes when the stream is dropped. Handshakes run beside each other.
pub(crate) fn accept(tls: Arc<Tls>, listener: TcpListener) -> impl Stream<Item = io::Result<PeerStream>> {
    accept_within(Limits { handshakes: MAX_HANDSHAKES, timeout: HANDSHAKE_TIMEOUT }, tls, listener)
}

/// The limits of the handshakes of a listener.
pub(super) struct Limits {
    pub handshakes: usize,
    pub timeout: Duration,
}

pub(super) fn accept_within(
    limits: Limits,
    tls: Arc<Tls>,
    listener: TcpListener,
) -> impl Stream<Item = io::Result<PeerStream>> {
    let (sender, mut accepted) = mpsc::channel(16);
    tokio::spawn(async move {
        let handshakes = Arc::new(Semaphore::new(limits.handshakes));
        loop {
            let Ok(permit) = Arc::clone(&handshakes).acquire_owned().await else { return };
            let connected = tokio::select! {
                connected = listener.accept() => connected,
                () = sender.closed() => return,
            };
            match connected {
                Ok((stream, _)) => {
                    let (tls, sender) = (Arc::clone(&tls), sender.clone());
                    tokio::spawn(async move {
                        let shaken = timeout(limits.timeout, handshake(&tls, stream)).await;
                        drop(permit);
                        match shaken {
                            Ok(Ok(stream)) => drop(sender.send(Ok(stream)).await),
                            Ok(Err(error)) => tls.failed(CALLERS, &error),
                            Err(_) => tracing::debug!("a caller that does not present a certificate"),
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be accepted");
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    });
    stream::poll_fn(move |context| accepted.poll_recv(context))
}

async fn handshake(tls: &Tls, stream: TcpStream) -> io::Result<PeerStream> {
    stream.set_nodelay(true)?;
    let stream = TlsAcceptor::from(tls.configs().server).accept(stream).await?;
    let certificate = stream.get_ref().1.peer_certificates().and_then(|chain| chain.first());
    let peer = Peer(certificate.map(processes_of).unwrap_or_default());
    Ok(PeerStream { stream, peer })
}

impl AsyncRead for PeerStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for PeerStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
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
