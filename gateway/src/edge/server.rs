//! The HTTP server: hyper with timeouts for headers and for unread responses, a limit of connections, and a shutdown in two stages.

mod clients;
mod idle;
mod slow_heads;

use std::{convert::Infallible, future::Future, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use http::{Request, Response, Version};
use hyper::{
    body::{Body as _, Incoming},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto::Builder, graceful::GracefulShutdown},
};
use metrics::{counter, describe_counter};
use tokio::{
    io::join,
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tower::Service as _;

pub use self::clients::Clients;
use self::{
    idle::{Pressure, Requests},
    slow_heads::{Phase, SlowHeads},
};
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
/// The timeout of an idle connection while more than half of the connections are open.
const IDLE_TIMEOUT_UNDER_PRESSURE: Duration = Duration::from_secs(5);
/// The response to a client that has too many connections. It is lost when the client has sent its request already.
const TOO_MANY: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\nretry-after: 1\r\n\
    content-type: application/problem+json\r\ncontent-length: 62\r\n\r\n\
    {\"error\":\"Too many connections\",\"code\":\"TOO_MANY_CONNECTIONS\"}";
/// The counter of connections refused because their client has too many.
const REFUSED: &str = "http_server_connections_refused_total";
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

/// A router, and how many connections a client may have.
#[derive(Clone)]
pub struct Server {
    /// Answers the requests.
    pub router: Router,
    /// Counts the connections of each client.
    pub clients: Arc<Clients>,
}

struct Limits {
    connections: usize,
    header_timeout: Duration,
    write_timeout: Duration,
    idle_timeout: Duration,
    idle_timeout_under_pressure: Duration,
}

impl Server {
    /// Serves until `shutdown`, then accepts no more connections and finishes the running requests.
    ///
    /// # Errors
    /// None at present: a failure ends its connection only.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
        let limits = Limits {
            connections: MAX_CONNECTIONS,
            header_timeout: HEADER_TIMEOUT,
            write_timeout: WRITE_TIMEOUT,
            idle_timeout: IDLE_TIMEOUT,
            idle_timeout_under_pressure: IDLE_TIMEOUT_UNDER_PRESSURE,
        };
        self.serve_within(limits, listener, shutdown).await
    }

    async fn serve_within(
        self,
        limits: Limits,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> anyhow::Result<()> {
        describe_counter!(REFUSED, "Connections refused because their client has too many");
        counter!(REFUSED).increment(0);
        let permits = Arc::new(Semaphore::new(limits.connections));
        let pressure = Arc::new(Pressure::new(Arc::clone(&permits), limits.connections));
        let builder = builder(limits.idle_timeout);
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
            let Some(admitted) = self.clients.admit(peer.ip()) else {
                counter!(REFUSED).increment(1);
                // Best effort: the client learns the reason, and no task waits for it.
                let _ = stream.try_write(TOO_MANY);
                continue;
            };
            pressure.update();
            let Ok(addresses) = accept(&stream, peer) else { continue };
            let closer = CancellationToken::new();
            let closed = closer.clone().cancelled_owned();
            let requests = Requests::default();
            let (reader, writer) = stream.into_split();
            let (reader, phase) = SlowHeads::new(reader, limits.header_timeout);
            let mut writer = TimeoutWriter::new(requests.writer(writer));
            writer.set_timeout(Some(limits.write_timeout));
            let handler = Handler { router: self.router.clone(), addresses, closer, phase, requests: requests.clone() };
            let service = service_fn(move |request| handler.clone().answer(request));
            let stream = TokioIo::new(join(reader, Box::pin(writer)));
            let served = builder.serve_connection_with_upgrades(stream, service).into_owned();
            let connection = graceful.watch(served);
            let pressure = Arc::clone(&pressure);
            tokio::spawn(async move {
                let _permit = permit;
                // The proxies close the idle connections to the gateway themselves.
                let idle = async {
                    if admitted.is_hop() {
                        std::future::pending().await
                    } else {
                        pressure.idle(&requests, limits.idle_timeout_under_pressure).await
                    }
                };
                tokio::select! {
                    ended = connection => if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended");
                    },
                    () = closed => tracing::debug!("a slow connection was closed"),
                    () = idle => tracing::debug!("an idle connection was closed"),
                }
            });
        }
        drop(listener);
        graceful.shutdown().await;
        Ok(())
    }
}

/// Answers the requests of one connection.
#[derive(Clone)]
struct Handler {
    router: Router,
    addresses: Connection,
    closer: CancellationToken,
    phase: Phase,
    requests: Requests,
}

impl Handler {
    async fn answer(mut self, mut request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let running = self.requests.begin();
        request.extensions_mut().insert(self.addresses);
        // Behind a proxy, an HTTP/2 connection contains requests of other clients.
        let is_http2 = request.version() >= Version::HTTP_2;
        self.phase.begin(is_http2);
        if !is_http2 {
            request.extensions_mut().insert(ConnectionCloser(self.closer));
        }
        let (parts, body) = request.into_parts();
        let (body, read) = tracked(body);
        let mut response = self.router.call(Request::from_parts(parts, body)).await?;
        self.phase.end();
        if !is_http2 && let Some(read) = read {
            read.announce(&mut response);
        }
        Ok(running.until_taken(response))
    }
}

/// The body of a request, with its state unless it is empty.
fn tracked(body: Incoming) -> (Body, Option<ReadToEnd>) {
    if body.is_end_stream() {
        return (Body::empty(), None);
    }
    let (body, read) = Tracked::new(body);
    (Body::new(body), Some(read))
}

fn accept(stream: &TcpStream, peer: std::net::SocketAddr) -> std::io::Result<Connection> {
    stream.set_nodelay(true)?;
    Ok(Connection { peer, local: stream.local_addr()? })
}

fn builder(idle_timeout: Duration) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(idle_timeout).max_buf_size(HEADER_BYTES);
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
