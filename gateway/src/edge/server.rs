//! The HTTP server: hyper with timeouts for headers and for unread responses, a limit of connections, and a shutdown in two stages.

mod slow_heads;

use std::{convert::Infallible, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use axum::Router;
use http::{Request, Version};
use hyper::{
    body::{Body as _, Incoming},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use tokio::{
    io::join,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tower::Service as _;

use self::slow_heads::SlowHeads;
use crate::edge::unread_body::{ReadToEnd, Tracked};

/// The timeout of request headers, and of a connection before its first request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of an idle connection. Longer than the 60 seconds after which common proxies close theirs.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
/// The buffer for request headers. Larger than the 64 KiB of a URI, so that a longer URI is answered with 414.
const HEADER_BYTES: usize = 96 * 1024;
/// The maximum of concurrent requests on an HTTP/2 connection.
const MAX_STREAMS: u32 = 128;
/// The timeout of a client that accepts no byte of a response. The next byte starts it again.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);
/// The maximum of concurrent connections, which bounds their memory. More wait in the backlog of the socket. A member who is online
/// holds one or two.
const MAX_CONNECTIONS: usize = 8_192;
/// The delay after a failed accept (no file handles left).
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// The addresses of the client connection, in the extensions of each request.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// The address of the client.
    pub peer: SocketAddr,
    /// The address of the gateway.
    pub local: SocketAddr,
}

/// Closes the client connection when cancelled. In the extensions of HTTP/1 requests, which do not share connections.
#[derive(Clone, Debug)]
pub struct ConnectionCloser(pub CancellationToken);

/// Serves until `shutdown`, then accepts no more connections and finishes the running requests.
///
/// # Errors
/// None at present: a failure ends its connection only.
pub async fn serve(router: Router, listener: TcpListener, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
    let limits = Limits { connections: MAX_CONNECTIONS, header_timeout: HEADER_TIMEOUT, write_timeout: WRITE_TIMEOUT };
    serve_within(limits, router, listener, shutdown).await
}

struct Limits {
    connections: usize,
    header_timeout: Duration,
    write_timeout: Duration,
}

async fn serve_within(
    limits: Limits,
    router: Router,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let permits = Arc::new(Semaphore::new(limits.connections));
    let builder = builder();
    let graceful = GracefulShutdown::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = async {
            let permit = Arc::clone(&permits).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, stream, peer) = tokio::select! {
            accepted = accepted => match accepted {
                (permit, Ok((stream, peer))) => (permit, stream, peer),
                (_, Err(error)) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            },
            () = &mut shutdown => break,
        };
        let Ok(addresses) = accept(&stream, peer) else { continue };
        let router = router.clone();
        let closer = CancellationToken::new();
        let closed = closer.clone().cancelled_owned();
        let (reader, writer) = stream.into_split();
        let (reader, phase) = SlowHeads::new(reader, limits.header_timeout);
        let mut writer = TimeoutWriter::new(writer);
        writer.set_timeout(Some(limits.write_timeout));
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(addresses);
            // Behind a proxy, an HTTP/2 connection contains requests of other clients.
            let is_http2 = request.version() >= Version::HTTP_2;
            phase.begin(is_http2);
            let phase = phase.clone();
            if !is_http2 {
                request.extensions_mut().insert(ConnectionCloser(closer.clone()));
            }
            let (parts, body) = request.into_parts();
            let (body, read) = tracked(body);
            let response = router.clone().call(Request::from_parts(parts, body));
            async move {
                let mut response = response.await?;
                phase.end();
                if !is_http2 && let Some(read) = read {
                    read.announce(&mut response);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let stream = TokioIo::new(join(reader, Box::pin(writer)));
        let served = builder.serve_connection_with_upgrades(stream, service).into_owned();
        let connection = graceful.watch(served);
        tokio::spawn(async move {
            let _permit = permit;
            tokio::select! {
                ended = connection => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended");
                },
                () = closed => tracing::debug!("a slow connection was closed"),
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

/// The body of a request, with its state unless it is empty.
fn tracked(body: Incoming) -> (axum::body::Body, Option<ReadToEnd>) {
    if body.is_end_stream() {
        return (axum::body::Body::empty(), None);
    }
    let (body, read) = Tracked::new(body);
    (axum::body::Body::new(body), Some(read))
}

fn accept(stream: &TcpStream, peer: std::net::SocketAddr) -> std::io::Result<Connection> {
    stream.set_nodelay(true)?;
    Ok(Connection { peer, local: stream.local_addr()? })
}

fn builder() -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(IDLE_TIMEOUT).max_buf_size(HEADER_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(16 * 1024)
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .keep_alive_timeout(HEADER_TIMEOUT);
    builder
}

#[cfg(test)]
mod tests;
